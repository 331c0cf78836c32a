/** Lists the forms in which a known credential may appear in a text. Pure. */

/** A credential and the credentials within it: the password of an address or connection string, or the token after a scheme. */
export function partsOfSecret(secret: string): string[] {
  const [, token] = /^(?:bearer|basic|token)\s+(\S+)$/i.exec(secret.trim()) ?? [];
  return [secret, secret.trim(), ...passwordsIn(secret), ...(token === undefined ? [] : [token])];
}

/** The passwords of an address or a connection string, as written and decoded; empty for any other text. */
export function passwordsIn(text: string): string[] {
  const { password = "" } = text.includes("://") ? (URL.parse(text) ?? {}) : {};
  const [, named = ""] = /[;?&\s](?:password|pwd)=([^;&\s]+)/i.exec(`;${text}`) ?? [];
  return [password, named].filter((part) => part !== "").flatMap((part) => [part, decoded(part)]);
}

/**
 * The spellings of a text: unchanged, in JSON (also in nested and in ASCII-only JSON), in an address, and in base64 at any
 * offset.
 */
export function listSpellings(text: string): string[] {
  const json = inJson(text);
  const ascii = json.replaceAll(/[\u0080-\uffff]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const address = encodeURIComponent(text.toWellFormed());
  const base64 = [0, 1, 2].map((before) => inBase64(text, before));
  const other = base64.map((each) => each.replaceAll("+", "-").replaceAll("/", "_"));
  return [text, json, inJson(json), ascii, address, address.replaceAll("%20", "+"), ...base64, ...other];
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** The base64 characters that depend only on the text, if it starts at this offset (modulo three). */
function inBase64(text: string, before: number): string {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
  return bytes.toString("base64").slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
