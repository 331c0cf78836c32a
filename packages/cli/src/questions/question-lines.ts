/**
 * Formats a question about a call as rows of a screen. Each row of model text begins with a gutter, so that nothing in that text can look
 * like the tool, its effect or the keys. Pure.
 */
import {
  type Approval,
  describeEffect,
  escapeCharacter,
  escapeUnits,
  showHidden,
  showHiddenInJson,
} from "@bridle/protocol";
import { maxColumnsOf, splitRows } from "../terminal/columns.ts";
import type { Colour, Paint } from "../terminal/paint.ts";
import { toPrintable } from "../terminal/printable.ts";
import { wrap } from "../terminal/wrap.ts";
import { keysFor } from "./parse-answer.ts";

export interface QuestionLine {
  readonly text: string;
  readonly colour?: Colour | undefined;
}

/** The parts of a question that are displayed. */
type AskedCall = Pick<Approval, "tool" | "rule" | "input" | "annotations"> & {
  readonly labels?: Approval["labels"];
  readonly reason?: string | undefined;
  readonly problem?: string | undefined;
  readonly preview?: string | undefined;
};

interface CallLinesOptions {
  /** Whether to show all rows. */
  readonly whole?: boolean;
  /** The maximum number of rows of each text at first. */
  readonly max?: number;
  /** Tells the user how to see the hidden rows. */
  readonly remedy: string;
}

const indent = "  ";
const gutter = "│ ";
const mark = "? ";
/** Returns the width without the prefix, which takes two columns, or three for the gutter in an East Asian font. */
const room = (width: number) => Math.max(width - 3, 10);
/** The maximum number of rows of a tool's name that does not fit into a title. */
const maxOfName = 3;

/** Formats a question for a terminal of this width. `whole` shows all rows. */
export function questionLines(approval: Approval, width: number, whole = false): QuestionLine[] {
  return [
    ...callLines(approval, width, { whole, remedy: "v shows them" }),
    ...keyLines(approval, width),
    ...paragraph("Text after the key is sent to the model.", width, "dim"),
  ];
}

/** Formats the call of a question, without the keys to answer it. The last rows name the tool and its effect again. */
export function callLines(call: AskedCall, width: number, options: CallLinesOptions): QuestionLine[] {
  const { rule, reason, problem, preview, input, labels: { agent } = {} } = call;
  const add = (text: string | undefined, choose?: (line: string) => Colour | undefined) =>
    text === undefined ? [] : block(text, width, options, choose);
  const effect = call.annotations && describeEffect(call.annotations);
  const withEffect = effect === undefined ? "" : ` (${effect})`;
  const below = { max: maxOfName, remedy: options.whole ? "the rows above show them" : options.remedy };
  return [
    ...titleLines(["", ` asks to run${withEffect}`, "A tool"], call.tool, width, options),
    ...add(agent && `agent: ${showExactly(agent)}`, () => "dim"),
    ...add(`rule: ${showExactly(rule)}`, () => "dim"),
    ...add(reason && showExactly(reason), () => "dim"),
    ...add(problem && showExactly(explainProblem(problem)), () => "red"),
    ...add(formatQuestionInput(input)),
    ...add(preview && showExactly(preview), diffColour),
    ...titleLines(["Run ", `${withEffect}?`, "the tool"], call.tool, width, below),
  ];
}

/** Joins lines in their colours. */
export function paintLines(lines: readonly QuestionLine[], paint: Paint): string {
  return lines.map(({ text, colour }) => `${colour ? paint(colour, text) : text}\n`).join("");
}

/**
 * Formats a title with a tool's name. If the name would continue on the next row, where it could look like another title, it gets its own
 * rows with a gutter.
 */
function titleLines(
  [before, after, anyTool]: readonly [string, string, string],
  tool: string,
  width: number,
  options: CallLinesOptions,
): QuestionLine[] {
  const isPlain = /^[\w.:/-]+$/.test(tool);
  const name = isPlain ? tool : quoteName(tool);
  const title = before + name + after;
  const isWhole = maxColumnsOf(isPlain ? name : title) <= room(width);
  const text = isWhole ? title : `${before}${anyTool}${after}${after.endsWith("?") ? "" : "."} Its name:`;
  const rows = wrap(text, room(width), maxColumnsOf);
  const lines = rows.map((row): QuestionLine => ({ text: mark + row, colour: "yellow" }));
  return isWhole ? lines : [...lines, ...block(name, width, options)];
}

/** Quotes a name with unusual characters, so that it cannot be mistaken for the words around it. */
function quoteName(tool: string): string {
  return showHiddenInJson(JSON.stringify(tool)).replace(oddBlank, escapeUnits);
}

/** Formats the keys. A key and its label stay on one line if they fit. */
function keyLines(approval: Approval, width: number): QuestionLine[] {
  const items = keysFor(approval).map(({ key, label }) => `${key} ${label}`);
  const text = items
    .map((item) => (item.length > room(width) ? item : item.replaceAll(" ", "\u00a0")))
    .join("\u00a0· ");
  return wrap(text, room(width), maxColumnsOf).map((line) => ({ text: indent + line.replaceAll("\u00a0", " ") }));
}

/** Explains the problem with the input that the user typed. If there are several lines, the first one is for a model. */
function explainProblem(problem: string): string {
  const [first = "", ...rest] = problem.split("\n");
  return rest.length === 0 ? first : ["The input does not fit:", ...rest].join("\n");
}

/** Formats an input as JSON, on one line if it is short. Hidden characters become escapes, which do not change the value. */
function formatQuestionInput(input: unknown): string {
  const short = JSON.stringify(input) ?? "";
  const json = short.length <= 60 ? short : (JSON.stringify(input, undefined, 2) ?? "");
  return showHiddenInJson(json).replace(oddBlank, escapeUnits);
}

/** Characters that look like a space but are not. */
const oddBlank = /(?! )\p{Zs}/gu;

/** Shows a text exactly: every invisible character becomes an escape, and spaces are kept. A tab becomes two spaces. */
function showExactly(text: string): string {
  const plain = withoutLastBreaks(text.replaceAll("\r\n", "\n").replaceAll("\t", "  "));
  return showHidden(plain).replace(oddBlank, escapeCharacter);
}

/** Removes line breaks at the end. A regular expression would start again at each line break of a long run. */
function withoutLastBreaks(text: string): string {
  let end = text.length;
  while (text[end - 1] === "\n") end -= 1;
  return text.slice(0, end);
}

export function paragraph(text: string, width: number, colour?: Colour): QuestionLine[] {
  return toPrintable(text)
    .split("\n")
    .flatMap((line) => wrap(line, room(width), maxColumnsOf))
    .map((line) => ({ text: indent + line, colour }));
}

/** Formats a text that has its own lines. A line that is too long continues on the next row. */
function block(
  text: string,
  width: number,
  { whole = false, max = 12, remedy }: CallLinesOptions,
  chooseColour?: (line: string) => Colour | undefined,
): QuestionLine[] {
  const rows = text.split("\n").flatMap((line) => {
    const colour = chooseColour?.(line);
    return splitRows(line, room(width), maxColumnsOf).map((row) => ({ text: gutter + row, colour }));
  });
  const hidden = rows.length - max;
  if (whole || hidden <= 0) return rows;
  return [...rows.slice(0, max), ...paragraph(`… ${hidden} more rows; ${remedy}`, width, "dim")];
}

/** Returns the colour of a line of a diff. */
function diffColour(line: string): Colour | undefined {
  if (line.startsWith("+")) return "green";
  return line.startsWith("-") ? "red" : undefined;
}
