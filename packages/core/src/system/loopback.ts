/**
 * Whether an address is this machine's loopback, so that requests to it never leave the machine. The only name that counts is `localhost`,
 * because a server may resolve other names.
 *
 * @example isLoopback("http://127.0.0.1:4318"); // true
 */
export function isLoopback(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { hostname } = new URL(address); // every spelling of an IPv4 address becomes four decimal numbers
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}
