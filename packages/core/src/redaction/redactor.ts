/** Redacts credentials: known texts, and texts that look like a credential. */

import { escapeExpression, isPlainObject } from "@bridle/protocol";
import {
  credentialForms,
  isCredentialName,
  isNamedCredential,
  lengthOfBegunForm,
  withoutNamedMembers,
} from "./credential-forms.ts";
import { listSpellings, partsOfSecret, passwordsIn } from "./secret-spellings.ts";

export { isCredentialName } from "./credential-forms.ts";

/** Replaces a credential. */
export const secretMark = "[secret]";

/** Replaces credentials with `[secret]`. Pure. */
export interface Redactor {
  text(text: string): string;
  /**
   * Redacts all strings of a JSON value, with keys and attached texts, and all texts under a credential's name. Returns the
   * same value if it contains no credential.
   */
  value(value: unknown): unknown;
  /** How many characters at the end of a text that continues may be the beginning of a credential. Default: none. */
  begun?(text: string): number;
}

export interface RedactorOptions {
  /** Known credentials. If one has fewer than six characters, it is redacted only if it is the whole string. */
  readonly secrets?: readonly string[];
  /** Values of variables with a credential's name are redacted, and passwords in the other values. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

const shortestAnywhere = 6;

/** Every pattern needs at least this many characters without a space. Most pieces of a stream have fewer. */
const longWord = /\S{7}/;

/**
 * Creates a redactor for known texts and for everything that looks like a credential.
 *
 * @example createRedactor({ secrets: ["tulip-9931"] }).text("It is tulip-9931.") // "It is [secret]."
 */
export function createRedactor({ secrets = [], environment = {} }: RedactorOptions = {}): Redactor {
  const named = Object.entries(environment).flatMap(([name, text = ""]) =>
    isCredentialName(name) ? [text] : passwordsIn(text),
  );
  const known = new Set([...secrets, ...named].flatMap(partsOfSecret).filter((text) => text.trim() !== ""));
  const spellings = [...known].filter((text) => text.length >= shortestAnywhere).flatMap(listSpellings);
  const anywhere = toExpression(spellings);
  const beginnings = Map.groupBy(new Set(spellings), (spelling) => spelling.slice(0, shortestBeginning));

  function text(original: string): string {
    if (known.has(original)) return secretMark;
    const rest = anywhere === undefined ? original : original.replaceAll(anywhere, secretMark);
    const unnamed = withoutNamedMembers(rest, secretMark);
    if (!longWord.test(unnamed)) return unnamed;
    return credentialForms.reduce((found, form) => found.replaceAll(form, secretMark), unnamed);
  }

  function value(original: unknown): unknown {
    if (typeof original === "string") return text(original);
    if (Array.isArray(original)) return sameOr(original, original.map(value));
    if (!isPlainObject(original)) return original;
    const entries = Object.entries(original).map(([key, item]) => [text(key), field(key, item, original)] as const);
    return entries.every(([key, item]) => original[key] === item) ? original : Object.fromEntries(entries);
  }

  function field(key: string, item: unknown, holder: object): unknown {
    if (key === "data" && typeof item === "string" && "mediaType" in holder) return attachment(item, holder.mediaType);
    if (typeof item === "string") return isNamedCredential(key, item) ? secretMark : text(item);
    if (Array.isArray(item) && isCredentialName(key))
      return sameOr(
        item,
        item.map((each) => field(key, each, {})),
      );
    return value(item);
  }

  /** Redacts an attachment, which stays base64. In a text file the credential is replaced; any other file is replaced whole. */
  function attachment(data: string, mediaType: unknown): string {
    const content = Buffer.from(data, "base64").toString("utf8");
    const isText = typeof mediaType === "string" && mediaType.startsWith("text/");
    if (isText) return text(content) === content ? data : Buffer.from(text(content)).toString("base64");
    return text(data) === data ? data : Buffer.from(secretMark).toString("base64");
  }

  function begun(open: string): number {
    for (let at = 0; at + shortestBeginning <= open.length; at += 1) {
      const rest = open.slice(at);
      const candidates = beginnings.get(rest.slice(0, shortestBeginning)) ?? [];
      if (candidates.some((each) => each.length > rest.length && each.startsWith(rest))) {
        return Math.max(rest.length, lengthOfBegunForm(open));
      }
    }
    return lengthOfBegunForm(open);
  }

  return { text, value, begun };
}

/** Fewer characters of a credential reveal little, and many words begin with them. */
const shortestBeginning = 4;

/** Redacts a stored content: JSON field by field, anything else as a text. */
export function redactContent(content: string, redactor: Redactor): string {
  const json = /^[[{]/.test(content) ? parsed(content) : undefined;
  if (json === undefined) return redactor.text(content);
  const clean = redactor.value(json);
  return clean === json ? content : JSON.stringify(clean);
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined; // it only looked like JSON
  }
}

function sameOr(original: readonly unknown[], items: readonly unknown[]): readonly unknown[] {
  return items.every((item, index) => item === original[index]) ? original : items;
}

function toExpression(texts: readonly string[]): RegExp | undefined {
  const longestFirst = [...new Set(texts)].toSorted((a, b) => b.length - a.length);
  return longestFirst.length === 0 ? undefined : new RegExp(longestFirst.map(escapeExpression).join("|"), "g");
}
