/**
 * Extracts the reason from an OpenSSL error, such as `wrong version number`. The complete message ends with positions in OpenSSL's source
 * code and a line break.
 */
export function tlsReason(message: string): string {
  const reason = /:SSL routines:[^:]*:([^:]+)/.exec(message)?.[1];
  return (reason ?? message).replaceAll(/\s+/g, " ").trim();
}
