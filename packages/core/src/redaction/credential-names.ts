/** Names of variables, settings and fields that hold credentials. */

const credentialName =
  /(?:(?:^|[_-])(?:api[_-]?key|(?:access|secret|private|account|subscription)[_-]?key|secrets?|passphrase|credentials?|authorization|(?:access|refresh|auth|bearer|oauth|session|id|api|bot|personal)[_-]?token)|passw(?:or)?d|[_-]pwd)$/i;

/** Returns true for the name of a variable or field that holds a credential, such as `OPENAI_API_KEY` or `clientSecret`. */
export function isCredentialName(name: string): boolean {
  return credentialName.test(name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")) || /^[A-Z0-9_]+_TOKEN$/.test(name);
}
