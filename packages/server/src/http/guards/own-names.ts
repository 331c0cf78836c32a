/** The names that a server accepts for itself. A page whose own name resolves to this machine (DNS rebinding) sends another name. */
export interface OwnNames {
  /** Values of `Host`, in lower case, with the port unless it is the default port of the scheme. */
  readonly hosts: ReadonlySet<string>;
  /** Origins of other pages that may send requests. Compared exactly. */
  readonly origins: ReadonlySet<string>;
  /** `https` if the server itself terminates TLS, else `http`. */
  readonly scheme: "http" | "https";
  /** Whether to trust `X-Forwarded-*` from this machine. */
  readonly isBehindProxy: boolean;
}

export interface NamesToOwn {
  readonly host: string;
  readonly port: number;
  readonly scheme: "http" | "https";
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly isBehindProxy: boolean;
}

const loopback = ["127.0.0.1", "localhost", "[::1]"];

export function ownNames({ host, port, scheme, allowedHosts, allowedOrigins, isBehindProxy }: NamesToOwn): OwnNames {
  const address = isAnyAddress(host) ? [] : [host.includes(":") ? `[${host}]` : host];
  const own = [...new Set([...loopback, ...address])];
  const isDefault = port === (scheme === "http" ? 80 : 443);
  const named = own.flatMap((name) => [`${name}:${port}`, ...(isDefault ? [name] : [])]);
  return {
    hosts: new Set([...named, ...allowedHosts].map((name) => name.toLowerCase())),
    origins: new Set(allowedOrigins),
    scheme,
    isBehindProxy,
  };
}

/** Whether the host stands for all addresses of this machine. */
export function isAnyAddress(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}

/** Returns the loopback address for a server that listens on all addresses. */
export function loopbackOf(host: string): string {
  return host === "::" ? "::1" : "127.0.0.1";
}

/** Whether a connection comes from this machine. Proxies' connections do, too, so this never proves the identity of the caller. */
export function isLoopbackPeer(peer: string): boolean {
  return peer === "unix" || peer === "::1" || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(peer);
}
