/** A question about a call as lines of a screen, and what a key means to it. Pure. */
import type { Approval } from "@bridle/protocol";
import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { keysFor, parseAnswer, type Typed } from "../approval/parse-answer.ts";
import type { Colour } from "../run/paint.ts";
import { fitting } from "./fitting.ts";
import { printable } from "./printable.ts";
import type { Style } from "./style.ts";

export interface QuestionView {
  readonly approval: Approval;
  /** From 1, of how many. */
  readonly place: readonly [number, number];
  /** Nothing is left out. */
  readonly isWhole: boolean;
  /** Told to the model with the answer. */
  readonly words: string;
  /** Why what was typed last has no meaning. */
  readonly problem?: string;
}

const indent = "  ";
/** Lines of an input or a preview that are shown before somebody asks for all; both fit a terminal of 24 lines. */
const most = 8;

/** What a key means; keys that the person may type but that change nothing here are `undefined`. */
export function keyMeaning(
  key: string,
  { approval, words }: QuestionView,
): Typed | { kind: "words" | "next" } | undefined {
  if (key === "w") return { kind: "words" };
  if (key === "\t") return { kind: "next" };
  if (!/^[a-zA-Z]$/.test(key)) return undefined;
  return parseAnswer(words === "" ? key : `${key} ${words}`, approval);
}

export function questionLines(question: QuestionView, width: number, style: Style): string[] {
  const { approval, place, isWhole, words, problem } = question;
  const { tool, rule, reason, preview, input } = approval;
  const extent = { width, isWhole, style };
  const of = place[1] > 1 ? ` (${place[0]} of ${place[1]}; Tab shows the next)` : "";
  const lines = [
    ...paragraph(`? May ${printable(tool)} run? ${printable(rule)}${of}`, extent, "yellow", ""),
    ...(reason === undefined ? [] : paragraph(printable(reason), extent, "dim")),
    ...(approval.problem === undefined ? [] : paragraph(printable(approval.problem), extent, "red")),
    ...block(inputText(input), extent),
    ...(preview === undefined ? [] : block(preview, extent, colourOfDiff)),
    ...(words === "" ? [] : paragraph(`With the words: ${printable(words)}`, extent, "cyan")),
    ...(problem === undefined ? [] : paragraph(printable(problem), extent, "red")),
    ...keyLines(question, extent),
  ];
  return fitting(lines, width);
}

interface Extent {
  readonly width: number;
  readonly isWhole: boolean;
  readonly style: Style;
}

function keyLines({ approval, isWhole }: QuestionView, { width, style }: Extent): string[] {
  const more = [
    { key: "v", says: isWhole ? "shorter" : "view whole" },
    { key: "w", says: "words for the model" },
    { key: "Esc", says: "stop the run" },
  ];
  const items = [...keysFor(approval), ...more].map(({ key, says }) => ({
    length: visibleWidth(`${key} ${says}`),
    text: `${style.paint("bold", key)} ${says}`,
  }));
  return joined(items, width - indent.length).map((line) => indent + line);
}

/** Items in as few lines as they fit in; each stays whole. */
function joined(items: readonly { length: number; text: string }[], width: number): string[] {
  const lines: { length: number; text: string }[] = [];
  for (const item of items) {
    const last = lines.at(-1);
    if (last && last.length + 3 + item.length <= width) {
      lines[lines.length - 1] = { length: last.length + 3 + item.length, text: `${last.text} · ${item.text}` };
    } else lines.push(item);
  }
  return lines.map(({ text }) => text);
}

/** On one line where it is short. */
function inputText(input: unknown): string {
  const short = JSON.stringify(input) ?? "";
  return short.length <= 60 ? short : (JSON.stringify(input, undefined, 2) ?? "");
}

function paragraph(text: string, { width, style }: Extent, colour: Colour, margin = indent): string[] {
  return text
    .split("\n")
    .flatMap((line) => wrapTextWithAnsi(line, width - indent.length))
    .map((line, index) => style.paint(colour, `${index === 0 ? margin : indent}${line}`));
}

/** Text whose own lines count; what is too long goes on in the next. */
function block(text: string, extent: Extent, colourOf?: (line: string) => Colour | undefined): string[] {
  const { width, isWhole, style } = extent;
  const lines = printable(text)
    .trimEnd()
    .split("\n")
    .flatMap((line) => {
      const colour = colourOf?.(line);
      return wrapTextWithAnsi(line, width - indent.length).map((piece) =>
        colour ? style.paint(colour, piece) : piece,
      );
    });
  const shown = isWhole || lines.length <= most + 1 ? lines : lines.slice(0, most);
  const left = lines.length - shown.length;
  const rest =
    left > 0 ? [style.paint("dim", truncateToWidth(`… ${left} more lines; v shows them`, width - 2, "…"))] : [];
  return [...shown, ...rest].map((line) => indent + line);
}

function colourOfDiff(line: string): Colour | undefined {
  if (line.startsWith("+")) return "green";
  return line.startsWith("-") ? "red" : undefined;
}
