/** Formats one item of the conversation as lines of a screen. Pure. */

import { formatInput } from "@bridle/app";
import type { ChatItem, Tone } from "@bridle/app/chat";
import { promptText } from "@bridle/app/events";
import { formatDuration, type ToolEntry } from "@bridle/protocol";
import { truncateToWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import type { Colour } from "../terminal/paint.ts";
import { toPrintable, toPrintableLine } from "../terminal/printable.ts";
import { fitLines } from "./fit-lines.ts";
import { markdownLines } from "./markdown-lines.ts";
import type { Style } from "./style.ts";

interface Surface {
  readonly width: number;
  readonly style: Style;
  /** Whether the item's run is still in progress. */
  readonly isLive: boolean;
}

/** The maximum numbers of lines of a prompt and of a tool's result. */
const [maxOfPrompt, maxOfResult] = [12, 3];
/** The maximum numbers of characters of a tool's input and result. */
const maxToolLength = 2000;

export function itemLines(item: ChatItem, surface: Surface): string[] {
  return fitLines(linesOf(item, surface), surface.width);
}

function linesOf(item: ChatItem, surface: Surface): string[] {
  switch (item.kind) {
    case "user":
      return promptLines(promptText(item.message), surface);
    case "text":
      return objectLines(item.text, surface) ?? answerLines(item.text, surface);
    case "reasoning":
      return [oneOf(`· thought: ${newestWords(item.text, surface.width)}`, "dim", surface)];
    case "tool":
      return cardLines(item, surface);
    case "history":
      return wrapped(historyText(item.reason, item.messages.length), "dim", surface);
    case "note":
      return wrapped(item.text, colours[item.tone], surface);
  }
}

const colours: Readonly<Record<Tone, Colour | undefined>> = {
  command: "bold",
  plain: undefined,
  dim: "dim",
  warning: "yellow",
  error: "red",
};

function promptLines(text: string, { width, style }: Surface): string[] {
  const lines = toPrintable(text)
    .trimEnd()
    .split("\n")
    .flatMap((line) => wrapTextWithAnsi(line, width - 2));
  const left = lines.length - maxOfPrompt;
  const shown = lines
    .slice(0, maxOfPrompt)
    .map((line, index) => style.paint("bold", (index === 0 ? "> " : "  ") + line));
  return left > 0 ? [...shown, style.paint("dim", `  … ${left} more lines`)] : shown;
}

function answerLines(text: string, { width, style }: Surface): string[] {
  return markdownLines(toPrintable(text).trim(), width, style.markdown);
}

/** Formats an object as indented JSON. */
function objectLines(text: string, surface: Surface): string[] | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    return wrapped(JSON.stringify(JSON.parse(text), undefined, 2), undefined, surface);
  } catch {
    return undefined; // it only starts like an object
  }
}

/** Formats a tool call: its input, then its result. */
function cardLines(entry: ToolEntry, surface: Surface): string[] {
  const { tool, input, edited, durationMs } = entry;
  const [mark, colour, outcome] = stateOf(entry, surface.isLive);
  const took = durationMs === undefined ? "" : ` ${formatDuration(durationMs)}`;
  const name = `${mark} ${toPrintableLine(tool)}${took}`;
  const given = toPrintable(formatInput(edited ?? input).slice(0, maxToolLength));
  const title = truncateToWidth(
    `${surface.style.paint(colour, name)} ${surface.style.paint("dim", given)}`,
    surface.width,
    "…",
  );
  return [title, ...resultLines(outcome, surface)];
}

function stateOf({ state, output = "", progress }: ToolEntry, isLive: boolean): [string, Colour, string] {
  switch (state) {
    case "succeeded":
      return ["✓", "green", output];
    case "failed":
      return ["✗", "red", output];
    case "denied":
      return ["✗", "red", `denied: ${output}`];
    case "waiting":
      return ["?", "yellow", isLive ? "" : "was not answered"];
    case "running":
      if (isLive) return ["→", "cyan", progress.at(-1) ?? ""];
      return ["?", "yellow", "the run ended during the call: whether it had an effect is not known"];
    case "requested":
      return isLive ? ["→", "cyan", ""] : ["–", "dim", "not executed"];
  }
}

/** Returns the first non-empty lines. */
function resultLines(text: string, { width, style }: Surface): string[] {
  const lines = toPrintable(text)
    .split("\n")
    .filter((line) => line.trim() !== "");
  const left = lines.length - maxOfResult;
  const shown = lines
    .slice(0, maxOfResult)
    .map((line) => `  ${truncateToWidth(line.slice(0, maxToolLength), width - 2, "…")}`);
  const more = left > 0 ? [`  … ${left} more lines`] : [];
  return [...shown, ...more].map((line) => style.paint("dim", line));
}

/** Returns the end of a reasoning text, because the text grows there. */
function newestWords(text: string, width: number): string {
  return toPrintable(text).trim().replace(/\s+/g, " ").slice(-Math.max(width, 40));
}

function oneOf(text: string, colour: Colour, { width, style }: Surface): string {
  return style.paint(colour, truncateToWidth(text, width, "…"));
}

function wrapped(text: string, colour: Colour | undefined, { width, style }: Surface): string[] {
  return toPrintable(text)
    .split("\n")
    .flatMap((line) => wrapTextWithAnsi(line, width))
    .map((line) => (colour ? style.paint(colour, line) : line));
}

function historyText(reason: string, messages: number): string {
  if (reason === "forked") return `(a copy of ${messages} messages of another session)`;
  return `(${reason}: from here on the model gets ${messages} messages instead)`;
}
