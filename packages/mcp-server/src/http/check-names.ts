/** `Host` and `Origin`: a page that points its own name to this machine (DNS rebinding) sends its name in both. */
import type { IncomingHttpHeaders } from "node:http";
import { isLoopback } from "@bridle/core";
import { validateHostHeader, validateOriginHeader } from "@modelcontextprotocol/server";

export interface AllowedNames {
  /** Host names by which clients may address the server, besides those of this machine's loopback. */
  readonly hosts: readonly string[];
  /** Host names of pages that may call the server, besides those of this machine's loopback. */
  readonly origins: readonly string[];
}

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

/** What is wrong with the names in the headers of a request, as a sentence; undefined if nothing is. */
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

/** Whether only programs of this machine reach the address. */
export function isLoopbackAddress(host: string): boolean {
  return isLoopback(host);
}
