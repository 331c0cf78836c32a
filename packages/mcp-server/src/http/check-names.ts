/** Checks `Host` and `Origin`. A page that points its own name to this machine (DNS rebinding) sends this name in both headers. */
import type { IncomingHttpHeaders } from "node:http";
import { isLoopback } from "@bridle/core";
import { validateHostHeader, validateOriginHeader } from "@modelcontextprotocol/server";

export interface AllowedNames {
  /** Host names that clients may use for the server, in addition to the loopback names of this machine. */
  readonly hosts: readonly string[];
  /** Host names of pages that may call the server, in addition to the loopback names of this machine. */
  readonly origins: readonly string[];
}

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

/** Explains in one sentence why a name in the headers of a request is refused. Undefined if the names are allowed. */
export function explainRefusedName(
  { host, origin }: Pick<IncomingHttpHeaders, "host" | "origin">,
  { hosts, origins }: AllowedNames,
): string | undefined {
  if (!validateHostHeader(host, [...loopbackNames, ...hosts]).ok) {
    return "The header Host names another server. Start the server with --allow-host and its public name.";
  }
  if (!validateOriginHeader(origin, [...loopbackNames, ...origins]).ok) {
    return "The header Origin names a page that may not call this server. Start the server with --allow-origin and its name.";
  }
  return undefined;
}

/** Whether an address can only be reached by programs on this machine. */
export function isLoopbackAddress(host: string): boolean {
  return isLoopback(host);
}
