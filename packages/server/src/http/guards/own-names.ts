/** The names under which a server answers: a page that points its own name to this machine (DNS rebinding) sends another. */
export interface OwnNames {
  /** Values of `Host`, in lower case, with the port if it is not the scheme's own. */
  readonly hosts: ReadonlySet<string>;
  /** Pages of other origins that may call, as browsers send them. Exact. */
  readonly origins: ReadonlySet<string>;
  /** `http`, or `https` if the server itself ends TLS. */
  readonly scheme: "http" | "https";
  /** Whether `X-Forwarded-*` of this machine is believed. */
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

/** All addresses of this machine. */
export function isAnyAddress(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}

/** The address for this machine itself, if a server listens on all. */
export function loopbackOf(host: string): string {
  return host === "::" ? "::1" : "127.0.0.1";
}

/** Whether a connection comes from this machine. A proxy of this machine does, so this is never taken as a proof of who calls. */
export function isLoopbackPeer(peer: string): boolean {
  return peer === "unix" || peer === "::1" || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(peer);
}
