/**
 * The reason in an OpenSSL error, such as `wrong version number`. The complete message ends with positions in its source and a line break.
 */
export function tlsReason(message: string): string {
  const reason = /:SSL routines:[^:]*:([^:]+)/.exec(message)?.[1];
  return (reason ?? message).replaceAll(/\s+/g, " ").trim();
}
