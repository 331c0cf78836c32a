/** Lists a credential and the credentials within it: the password of an address or connection string, or the token after a scheme. */
export function partsOfSecret(secret: string): string[] {
  const [, token] = /^(?:bearer|basic|token)\s+(\S+)$/i.exec(secret.trim()) ?? [];
  return [secret, secret.trim(), ...passwordsIn(secret), ...(token === undefined ? [] : [token])];
}

/** Lists the passwords of an address or a connection string, as written and decoded. Empty for any other text. */
export function passwordsIn(text: string): string[] {
  const { password = "" } = text.includes("://") ? (URL.parse(text) ?? {}) : {};
  const [, named = ""] = /[;?&\s](?:password|pwd)=([^;&\s]+)/i.exec(`;${text}`) ?? [];
  return [password, named].filter((part) => part !== "").flatMap((part) => [part, decoded(part)]);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
