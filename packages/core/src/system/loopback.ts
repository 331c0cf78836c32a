/**
 * Whether an address is this machine's loopback, so that a request to it leaves the machine on no way of the network. Only
 * `localhost` counts as a name: other names are resolved by a server.
 *
 * @example isLoopback("http://127.0.0.1:4318"); // true
 */
export function isLoopback(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { hostname } = new URL(address); // every spelling of an IPv4 address becomes four decimal numbers
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}
