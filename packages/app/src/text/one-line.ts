import { showHiddenInDocument } from "@bridle/protocol/text";

/** Formats a tool's input as JSON; an empty string for an empty input. */
export function formatInput(input: unknown): string {
  const text = JSON.stringify(input) ?? "";
  return text === "{}" ? "" : text;
}

/**
 * Shortens a text to `width` characters on one line. Hidden characters are shown as escapes, because a model or a tool wrote the text, and
 * a terminal would obey control characters. Characters that join an emoji are kept.
 */
export function fitOnLine(text: string, width: number): string {
  const plain = showHiddenInDocument(text.slice(0, width * 4).replace(/\s+/g, " ")).trimEnd();
  const characters = [...plain];
  return characters.length <= width ? plain : `${characters.slice(0, width - 1).join("")}…`;
}
