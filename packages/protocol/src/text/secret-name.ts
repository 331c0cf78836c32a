/**
 * Whether a header, setting or variable with this name holds a credential, such as `Authorization`, `apiKey` or `SHOP_TOKEN`. Returns true
 * in doubt, because an unnecessary redaction is better than a credential in a log.
 */
export function isSecretName(name: string): boolean {
  return /auth|key|token|secret|cookie|signature|password/i.test(name);
}
