import { stripVTControlCharacters } from "node:util";

const [minuteMs, hourMs] = [60_000, 3_600_000];

/** `12 ms`, `1.2 s`, `3 min 5 s`, `2 h 3 min`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < minuteMs - 50) return `${(ms / 1000).toFixed(1)} s`;
  const whole = Math.round(ms / 1000) * 1000;
  if (whole < hourMs) return `${Math.floor(whole / minuteMs)} min ${(whole % minuteMs) / 1000} s`;
  return `${Math.floor(whole / hourMs)} h ${Math.floor((whole % hourMs) / minuteMs)} min`;
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
