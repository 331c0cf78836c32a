/** Recognises contact addresses: e-mail addresses, phone numbers and IP addresses. */
import { isIP } from "node:net";

const local = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}._%+'-]{0,62}[\p{L}\p{N}_+-])?`;
const domain = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62}\.)+\p{L}{2,24}`;
const emailInText = new RegExp(
  String.raw`(?<![\p{L}\p{N}.]|:\/\/[^\s@/]{0,100})(?!git@)${local}@${domain}(?![\p{L}\p{N}]|\.\p{L}|@)`,
  "giu",
);

/**
 * Finds e-mail addresses in a text. A text without `@` is not searched. The user name in a web address does not count as an e-mail address.
 */
export function findEmails(text: string): readonly string[] {
  return text.includes("@") ? [...text.matchAll(emailInText)].map(([found]) => found) : [];
}

const nationalPhones = [
  /^(?:1[\s.-]?)?(?:\([2-9]\d{2}\)\s?|[2-9]\d{2}[\s.-])[2-9]\d{2}[\s.-]\d{4}(?:\s?(?:x|ext\.?)\s?\d{1,6})?$/i,
  /^\(?0\d{1,5}\)?[\s/]\s?\d{1,8}(?:[\s-]\d{1,8}){0,4}$/,
];

/** Whether a string has a form that only phone numbers have: with `+`, or with groups as in North America or Europe. */
export function isPhone(text: string): boolean {
  const count = countDigits(text);
  if (count < 8 || count > 16) return false;
  return (
    /^\+\s?\(?[1-9][\d\s()./-]*(?:(?:x|ext\.?)\s?\d{1,6})?$/i.test(text) ||
    nationalPhones.some((form) => form.test(text))
  );
}

const phoneInText =
  /(?<![\w+.)])\+ ?\(?[1-9]\d{0,3}\)?(?:[ ./-]?\(?\d{1,8}\)?){1,6}(?![\w])|(?<![\w)])\([2-9]\d{2}\) ?[2-9]\d{2}[ .-]\d{4}(?!\w)/g;

/** Finds phone numbers in a text: with `+` and at least ten digits, or with parentheses as in North America. */
export function findPhones(text: string): readonly string[] {
  if (!/[+(]/.test(text)) return [];
  return [...text.matchAll(phoneInText)]
    .map(([found]) => found)
    .filter((found) => countDigits(found) >= 10 && isPhone(found));
}

/** Whether a string may be a phone number, given that its column's name suggests one. */
export function mayBePhone(text: string): boolean {
  const count = countDigits(text);
  return count >= 6 && count <= 18 && /^[+\d\s()./#-]+(?:(?:x|ext\.?)\s?\d{1,6})?$/i.test(text) && !isDate(text);
}

function isDate(text: string): boolean {
  return /^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|^\d{1,2}[-/.]\d{1,2}[-/.]\d{4}$/.test(text);
}

function countDigits(text: string): number {
  return text.replaceAll(/\D/g, "").length;
}

/** Whether a string is an IP address, with or without a network prefix length. */
export function isAddress(text: string): boolean {
  const [address = "", size = "0", ...others] = text.split("/");
  return others.length === 0 && isIP(address) !== 0 && /^\d{1,3}$/.test(size) && address.length > 3;
}
