/** Makes untrusted text of models, tools and web pages safe for documents. */
import { escapeCharacter, showHiddenInDocument } from "@bridle/protocol";

/**
 * Makes a text valid in every format and visible to every reader: control characters become their pictures (U+2400 and following), lone
 * surrogates and non-characters become U+FFFD, other hidden characters become escapes, and lines end in `\n`.
 */
export function visible(text: string): string {
  return showHiddenInDocument(text.toWellFormed().replaceAll(/\r\n?/g, "\n"), show);
}

function show(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return (code >= 0x80 && code < 0xa0) || (code & 0xfffe) === 0xfffe ? "\ufffd" : escapeCharacter(character);
}

/** Works like `visible`, and puts the text on one line. */
export function oneLine(text: string): string {
  return visible(text.replaceAll(/[^\S\ufeff]+/g, " ")).trim();
}

/** Returns at most `length` characters, and the number of the others. */
export function clip(text: string, length: number): string {
  const [kept, rest] = divide(text, length);
  return rest === "" ? kept : `${kept}… (${rest.length} more characters)`;
}

/** Returns the first `length` characters and the rest. No character is split. */
export function divide(text: string, length: number): readonly [string, string] {
  if (text.length <= length) return [text, ""];
  const inPair = /[\ud800-\udbff]/.test(text.charAt(length - 1));
  const at = inPair ? length - 1 : length;
  return [text.slice(0, at), text.slice(at)];
}

/** Formats the input or output of a tool for readers: JSON is indented, even within a text. */
export function readable(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value, null, 2) ?? "";
  if (!/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value; // it only looks like JSON
  }
}
