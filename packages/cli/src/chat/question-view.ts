/** A question about a call as lines of a screen, and what a key means to it. Pure. */
import type { Approval } from "@bridle/protocol";
import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { keysFor, parseTypedAnswer, type TypedAnswer } from "../questions/parse-answer.ts";
import { diffColour, formatQuestionInput } from "../questions/question-lines.ts";
import type { Colour } from "../terminal/paint.ts";
import { toPrintable } from "../terminal/printable.ts";
import { fitLines } from "./fit-lines.ts";
import type { Style } from "./style.ts";

export interface QuestionView {
  readonly approval: Approval;
  /** The number of the question from 1, and the number of questions. */
  readonly position: readonly [number, number];
  /** Nothing is hidden. */
  readonly isWhole: boolean;
  /** A message to the model with the answer. */
  readonly words: string;
  /** Why the last input is invalid. */
  readonly problem?: string | undefined;
}

const indent = "  ";
/** Lines of an input or a preview that are shown at first. Both fit a terminal of 24 lines. */
const most = 8;

/** The meaning of a key; `undefined` for keys without one. */
export function keyMeaning(
  key: string,
  { approval, words }: QuestionView,
): TypedAnswer | { kind: "words" | "next" } | undefined {
  if (key === "w") return { kind: "words" };
  if (key === "\t") return { kind: "next" };
  if (!/^[a-zA-Z]$/.test(key)) return undefined;
  return parseTypedAnswer(words === "" ? key : `${key} ${words}`, approval);
}

export function chatQuestionLines(question: QuestionView, width: number, style: Style): string[] {
  const { approval, position, isWhole, words, problem } = question;
  const { tool, rule, reason, preview, input } = approval;
  const extent = { width, isWhole, style };
  const of = position[1] > 1 ? ` (${position[0]} of ${position[1]}; Tab shows the next)` : "";
  const lines = [
    ...paragraph(`? May ${toPrintable(tool)} run? ${toPrintable(rule)}${of}`, extent, "yellow", ""),
    ...(reason === undefined ? [] : paragraph(toPrintable(reason), extent, "dim")),
    ...(approval.problem === undefined ? [] : paragraph(toPrintable(approval.problem), extent, "red")),
    ...block(formatQuestionInput(input), extent),
    ...(preview === undefined ? [] : block(preview, extent, diffColour)),
    ...(words === "" ? [] : paragraph(`Message to the model: ${toPrintable(words)}`, extent, "cyan")),
    ...(problem === undefined ? [] : paragraph(toPrintable(problem), extent, "red")),
    ...keyLines(question, extent),
  ];
  return fitLines(lines, width);
}

interface Extent {
  readonly width: number;
  readonly isWhole: boolean;
  readonly style: Style;
}

function keyLines({ approval, isWhole }: QuestionView, { width, style }: Extent): string[] {
  const more = [
    { key: "v", label: isWhole ? "show less" : "show all" },
    { key: "w", label: "message to the model" },
    { key: "Esc", label: "stop the run" },
  ];
  const items = [...keysFor(approval), ...more].map(({ key, label }) => ({
    length: visibleWidth(`${key} ${label}`),
    text: `${style.paint("bold", key)} ${label}`,
  }));
  return joined(items, width - indent.length).map((line) => indent + line);
}

/** Joins items into as few lines as possible. No item is broken. */
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

function paragraph(text: string, { width, style }: Extent, colour: Colour, margin = indent): string[] {
  return text
    .split("\n")
    .flatMap((line) => wrapTextWithAnsi(line, width - indent.length))
    .map((line, index) => style.paint(colour, `${index === 0 ? margin : indent}${line}`));
}

/** Text with its own lines. A line that is too long continues on the next. */
function block(text: string, extent: Extent, chooseColour?: (line: string) => Colour | undefined): string[] {
  const { width, isWhole, style } = extent;
  const lines = toPrintable(text)
    .trimEnd()
    .split("\n")
    .flatMap((line) => {
      const colour = chooseColour?.(line);
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
