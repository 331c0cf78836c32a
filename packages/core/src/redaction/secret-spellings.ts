/** The forms in which a text that is known to be a credential is looked for. Pure. */

/** A credential and the credentials in it: a password of an address or a connection string, a token after its scheme. */
export function partsOfSecret(secret: string): string[] {
  const [, token] = /^(?:bearer|basic|token)\s+(\S+)$/i.exec(secret.trim()) ?? [];
  return [secret, secret.trim(), ...passwordsIn(secret), ...(token === undefined ? [] : [token])];
}

/** The passwords of an address or a connection string, as they are there and decoded; none in any other text. */
export function passwordsIn(text: string): string[] {
  const { password = "" } = text.includes("://") ? (URL.parse(text) ?? {}) : {};
  const [, named = ""] = /[;?&\s](?:password|pwd)=([^;&\s]+)/i.exec(`;${text}`) ?? [];
  return [password, named].filter((part) => part !== "").flatMap((part) => [part, decoded(part)]);
}

/**
 * A text as it is, inside of JSON (also of JSON in a text of JSON, and of JSON in ASCII), inside of an address, and
 * inside of base64, at any offset.
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

/** The characters that are the text's alone, if so many bytes are before it, counted in threes. */
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
