import { UsageError } from "@bridle/app";

/** The options of `bridle serve`. */
export interface ServeOptions {
  /** The agent files. Default: those in the usual places of the project. */
  readonly agents?: readonly string[] | undefined;
  /** The port; 0 for any free port. Default: 4900. */
  readonly port?: number | undefined;
  /** The address to listen on. Default: 127.0.0.1 and ::1. */
  readonly host?: string | undefined;
  /** The path of a socket, instead of a port. */
  readonly socket?: string | undefined;
  /** The token file. Default: a new token, for this start. */
  readonly tokenFile?: string | undefined;
  readonly tlsCert?: string | undefined;
  readonly tlsKey?: string | undefined;
  readonly allowedHosts?: readonly string[] | undefined;
  readonly allowedOrigins?: readonly string[] | undefined;
  readonly isBehindProxy?: boolean | undefined;
  readonly basePath?: string | undefined;
  readonly isReadOnly?: boolean | undefined;
  /** Whether tools may run. If false, every call is denied. Default: true. */
  readonly runsTools?: boolean | undefined;
  /** The rehearsal script's file. The script replaces every model. */
  readonly rehearse?: string | undefined;
  /** How long runs may take to end when the server shuts down, in milliseconds. Default: 10,000. */
  readonly graceMs?: number | undefined;
}

export const defaultPort = 4900;

/** Rejects options that would send a token unencrypted over a network. @throws UsageError */
export function checkServeOptions(options: ServeOptions): void {
  const { host, socket, tlsCert, tlsKey, isBehindProxy } = options;
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    throw new UsageError("TLS needs both --tls-cert and --tls-key.");
  }
  if (socket !== undefined && (host !== undefined || options.port !== undefined || tlsCert !== undefined)) {
    throw new UsageError("A server listens on a socket or on a port. Leave --unix out, or --host, --port and TLS.");
  }
  if (host === undefined || isLoopbackAddress(host) || tlsCert !== undefined || isBehindProxy === true) return;
  throw new UsageError(
    `Other machines reach ${host}, and tokens would be sent to it as they are. Add --tls-cert and --tls-key, or --behind-proxy if a proxy ends TLS.`,
  );
}

function isLoopbackAddress(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}
