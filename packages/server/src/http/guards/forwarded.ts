import { isLoopbackPeer, type OwnNames } from "./own-names.ts";
import { oneValue, type RequestHead } from "./request-head.ts";

/** What the client sees of this server, and who it is. */
export interface Seen {
  readonly scheme: string;
  /** The `Host` of the address in the client's browser. */
  readonly host: string;
  /** The address of the client. */
  readonly address: string;
}

/** A proxy of this machine says in `X-Forwarded-*` what the client sees. Without --behind-proxy, anyone may have sent them. */
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

/** The proxy adds its own value at the end; what comes before it was sent by the client. */
function lastOf(head: RequestHead, name: string): string | undefined {
  const last = head.all(name).at(-1)?.split(",").at(-1)?.trim();
  return last === "" ? undefined : last;
}
