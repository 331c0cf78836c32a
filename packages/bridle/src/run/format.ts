import { stripVTControlCharacters } from "node:util";

/** `12 ms`, `1.2 s`, `3 min 5 s`, `2 h 13 min`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
  return `${Math.floor(ms / 3_600_000)} h ${Math.floor((ms % 3_600_000) / 60_000)} min`;
}

/** A tool's input as it is shown; nothing for an empty one. */
export function formatInput(input: unknown): string {
  const text = JSON.stringify(input) ?? "";
  return text === "{}" ? "" : text;
}

/** At most `width` characters on one line, without what a terminal would obey: a model or a tool wrote the text. */
export function oneLine(text: string, width: number): string {
  const plain = stripVTControlCharacters(text.slice(0, width * 4))
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trimEnd();
  const characters = [...plain];
  return characters.length <= width ? plain : `${characters.slice(0, width - 1).join("")}…`;
}
