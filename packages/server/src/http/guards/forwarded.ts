import { isLoopbackPeer, type OwnNames } from "./own-names.ts";
import { oneValue, type RequestHead } from "./request-head.ts";

/** The address of this server from the client's view, and the address of the client. */
export interface Seen {
  readonly scheme: string;
  /** The host in the address bar of the client's browser. */
  readonly host: string;
  /** The address of the client. */
  readonly address: string;
}

/**
 * Reads the client's view from the `X-Forwarded-*` headers of a proxy on this machine. Without `--behind-proxy`, they are ignored,
 * because anyone could have set them.
 */
export function readSeen(
  head: RequestHead,
  { scheme, isBehindProxy }: Pick<OwnNames, "scheme" | "isBehindProxy">,
): Seen {
  const own = { scheme, host: (oneValue(head, "host") ?? "").toLowerCase(), address: head.peer };
  if (!isBehindProxy || !isLoopbackPeer(head.peer)) return own;
  return {
    scheme: lastOf(head, "x-forwarded-proto") ?? own.scheme,
    host: lastOf(head, "x-forwarded-host")?.toLowerCase() ?? own.host,
    address: lastOf(head, "x-forwarded-for") ?? own.address,
  };
}

/** Returns a header's last value, which the proxy appended. The client sent the values before it. */
function lastOf(head: RequestHead, name: string): string | undefined {
  const last = head.all(name).at(-1)?.split(",").at(-1)?.trim();
  return last === "" ? undefined : last;
}
