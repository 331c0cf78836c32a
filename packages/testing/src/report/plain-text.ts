/** Other people's text, so that it can stand in a document: models, tools and web pages wrote it. */

/**
 * Text that every format can hold and every reader can see: control characters as their pictures (U+2400 and following),
 * lone surrogates and non-characters as U+FFFD, marks that turn the direction of all that follows by their numbers, and
 * lines ended by `\n`.
 */
export function visible(text: string): string {
  const lines = text.toWellFormed().replaceAll(/\r\n?/g, "\n");
  return lines.replaceAll(unseen, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    if (code >= 0x202a && code <= 0x2069) return `[U+${code.toString(16).toUpperCase()}]`;
    return code === 0x7f ? "\u2421" : "\ufffd";
  });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const unseen = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g;

/** On one line. */
export function oneLine(text: string): string {
  return visible(text).replaceAll(/\s+/g, " ").trim();
}

/** At most `length` characters; what is missing is told. */
export function clip(text: string, length: number): string {
  const [kept, rest] = divide(text, length);
  return rest === "" ? kept : `${kept}… (${rest.length} more characters)`;
}

/** The first `length` characters and the rest; no character is cut in two. */
export function divide(text: string, length: number): readonly [string, string] {
  if (text.length <= length) return [text, ""];
  const inPair = /[\ud800-\udbff]/.test(text.charAt(length - 1));
  const at = inPair ? length - 1 : length;
  return [text.slice(0, at), text.slice(at)];
}

/** What a tool was given or gave, to be read: JSON is indented, also where it stands in a text. */
export function readable(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value, null, 2) ?? "";
  if (!/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value; // it only looked like JSON
  }
}
