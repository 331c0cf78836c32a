/**
 * Whether a header, a setting or a variable of this name holds a credential, such as `Authorization`, `apiKey` or
 * `SHOP_TOKEN`. If in doubt it does: a value that is redacted in vain is better than a credential in a log.
 */
export function isSecretName(name: string): boolean {
  return /auth|key|token|secret|cookie|signature|password/i.test(name);
}
