/** Recognises credentials of programs and people by their form. */
import { createRedactor } from "@bridle/core";

const redactor = createRedactor();

/** Matches password hashes as programs store them: bcrypt, argon2, scrypt, PBKDF2, crypt, phpass, LDAP, MySQL, SCRAM. */
const passwordHash =
  /^(?:\$2[abxy]?\$\d{2}\$[./A-Za-z0-9]{53}|\$(?:argon2(?:id|i|d)|scrypt|pbkdf2[\w-]*|7|y|gy|5|6|1|apr1|P|H|S)\$\S{8,}|(?:pbkdf2|argon2|bcrypt|scrypt)[\w:-]*\$\S{16,}|\{(?:SSHA|SHA|SMD5|MD5|CRYPT|PBKDF2|ARGON2)[\w-]*\}\S{16,}|SCRAM-SHA-256\$\S{16,}|\*[0-9A-F]{40}|pbkdf2:sha\d+:\d+\$\S{16,})$/;

export function isPasswordHash(text: string): boolean {
  return passwordHash.test(text);
}

/** Whether a string contains a key, a token or an address with a password. Short words are ignored. */
export function hasToken(text: string): boolean {
  return /\S{16}/.test(text) && (redactor.search?.(text).findings.length ?? 0) > 0;
}

/** Replaces keys and tokens with their length. */
export function removeTokens(text: string): string {
  return /\S{16}/.test(text) ? redactor.text(text) : text;
}

/**
 * Whether a string may be a token, given that its column's name suggests one: one word that is long or has characters of more than one
 * kind.
 */
export function mayBeToken(text: string): boolean {
  if (/\s/.test(text) || text.length < 8) return false;
  return text.length >= 20 || [/\d/, /[a-z]/, /[A-Z]/, /[^\w]/].filter((sign) => sign.test(text)).length >= 2;
}
