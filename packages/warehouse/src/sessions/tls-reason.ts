/** The reason of OpenSSL, such as `wrong version number`: its own message ends with places in its source and a line break. */
export function tlsReason(message: string): string {
  const reason = /:SSL routines:[^:]*:([^:]+)/.exec(message)?.[1];
  return (reason ?? message).replaceAll(/\s+/g, " ").trim();
}
