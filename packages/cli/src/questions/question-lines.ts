import { fitOnLine, stripControlCharacters } from "@bridle/app";
import type { Approval } from "@bridle/protocol";
import type { Colour, Paint } from "../terminal/paint.ts";
import { wrap } from "../terminal/wrap.ts";
import { keysFor } from "./parse-answer.ts";

export interface QuestionLine {
  readonly text: string;
  readonly colour?: Colour | undefined;
}

/** The parts of a question that are shown. */
type AskedCall = Pick<Approval, "tool" | "rule" | "input"> & {
  readonly reason?: string | undefined;
  readonly problem?: string | undefined;
  readonly preview?: string | undefined;
};

interface CallLinesOptions {
  /** Show all lines. */
  readonly whole?: boolean;
  /** How to see the hidden lines. */
  readonly remedy: string;
}

const indent = "  ";
/** Lines of an input or a preview that are shown at first. */
const mostLines = 12;

/** A question on a terminal of this width. `whole` hides nothing. */
export function questionLines(approval: Approval, width: number, whole = false): QuestionLine[] {
  return [
    ...callLines(approval, width, { whole, remedy: "v shows them" }),
    ...keyLines(approval, width),
    ...paragraph("Text after the key is sent to the model.", width, "dim"),
  ];
}

/** The call of a question, without the keys to answer it. */
export function callLines(call: AskedCall, width: number, { whole = false, remedy }: CallLinesOptions): QuestionLine[] {
  const { tool, rule, reason, problem, preview, input } = call;
  const extent = { width, whole, remedy };
  return [
    ...paragraph(`? ${fitOnLine(tool, 64)} asks to run (${fitOnLine(rule, 80)})`, width, "yellow", ""),
    ...(reason === undefined ? [] : paragraph(reason, width, "dim")),
    ...(problem === undefined ? [] : block(explainProblem(problem), extent, () => "red")),
    ...block(formatQuestionInput(input), extent),
    ...(preview === undefined ? [] : block(preview, extent, diffColour)),
  ];
}

/** Joins painted lines. */
export function paintLines(lines: readonly QuestionLine[], paint: Paint): string {
  return lines.map(({ text, colour }) => `${colour ? paint(colour, text) : text}\n`).join("");
}

/** A key and its label stay on one line. */
function keyLines(approval: Approval, width: number): QuestionLine[] {
  const items = keysFor(approval).map(({ key, label }) => `${key} ${label}`.replaceAll(" ", "\u00a0"));
  return wrap(items.join(" · "), width - indent.length).map((line) => ({
    text: indent + line.replaceAll("\u00a0", " "),
  }));
}

/** What is wrong with the input that the user typed. The first line of several is meant for a model. */
function explainProblem(problem: string): string {
  const [first = "", ...rest] = problem.split("\n");
  return rest.length === 0 ? first : ["The input does not fit:", ...rest].join("\n");
}

/** An input as JSON, on one line if it is short. */
export function formatQuestionInput(input: unknown): string {
  const short = JSON.stringify(input) ?? "";
  return short.length <= 60 ? short : (JSON.stringify(input, undefined, 2) ?? "");
}

export function paragraph(text: string, width: number, colour?: Colour, margin = indent): QuestionLine[] {
  const lines = wrap(fitOnLine(text, 2000), width - indent.length);
  return lines.map((line, index) => ({ text: `${index === 0 ? margin : indent}${line}`, colour }));
}

/** Text with its own lines. A line that is too long continues on the next. */
function block(
  text: string,
  { width, whole, remedy }: { width: number; whole: boolean; remedy: string },
  chooseColour?: (line: string) => Colour | undefined,
): QuestionLine[] {
  const lines = stripControlCharacters(text).replaceAll("\t", "  ").trimEnd().split("\n");
  const shown = whole ? lines : lines.slice(0, mostLines);
  const hidden = lines.length - shown.length;
  return [
    ...shown.flatMap((line) => {
      const colour = chooseColour?.(line);
      return splitLine(line, width - indent.length).map((part) => ({ text: indent + part, colour }));
    }),
    ...(hidden > 0 ? paragraph(`… ${hidden} more lines; ${remedy}`, width, "dim") : []),
  ];
}

function splitLine(line: string, width: number): string[] {
  const room = Math.max(width, 10);
  const count = Math.max(1, Math.ceil(line.length / room));
  return Array.from({ length: count }, (_, index) => line.slice(index * room, (index + 1) * room));
}

/** The colour of a line of a diff. */
export function diffColour(line: string): Colour | undefined {
  if (line.startsWith("+")) return "green";
  return line.startsWith("-") ? "red" : undefined;
}
