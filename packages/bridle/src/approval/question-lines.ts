import type { Approval } from "@bridle/protocol";
import { wrap } from "../report/wrap.ts";
import { oneLine } from "../run/format.ts";
import { harmless } from "../run/harmless.ts";
import type { Colour } from "../run/paint.ts";
import { keysFor } from "./parse-answer.ts";

export interface Line {
  readonly text: string;
  readonly colour?: Colour;
}

const indent = "  ";
/** Lines of an input or a preview that are shown before somebody asks for all. */
const most = 12;

/** A question as it stands on a terminal of this width; `whole` leaves nothing out. */
export function questionLines(approval: Approval, width: number, whole = false): Line[] {
  return [
    ...callLines(approval, width, { whole, rest: "v shows them" }),
    ...keyLines(approval, width),
    ...paragraph("Words after the key are told to the model.", width, "dim"),
  ];
}

/** What is asked about, without the ways to answer; `rest` says where the lines are that are left out. */
export function callLines(
  approval: Approval,
  width: number,
  { whole = false, rest }: { whole?: boolean; rest: string },
): Line[] {
  const { tool, rule, reason, problem, preview } = approval;
  const extent = { width, whole, rest };
  return [
    ...paragraph(`? ${oneLine(tool, 64)} asks to run (${oneLine(rule, 80)})`, width, "yellow", ""),
    ...(reason === undefined ? [] : paragraph(reason, width, "dim")),
    ...(problem === undefined ? [] : block(problemText(problem), extent, () => "red")),
    ...block(inputText(approval), extent),
    ...(preview === undefined ? [] : block(preview, extent, colourOfDiff)),
  ];
}

/** A key stays with what it says. */
function keyLines(approval: Approval, width: number): Line[] {
  const items = keysFor(approval).map(({ key, says }) => `${key} ${says}`.replaceAll(" ", "\u00a0"));
  return wrap(items.join(" · "), width - indent.length).map((line) => ({
    text: indent + line.replaceAll("\u00a0", " "),
  }));
}

/** What is wrong in the input that was typed; the first line of several is for a model. */
function problemText(problem: string): string {
  const [first = "", ...rest] = problem.split("\n");
  return rest.length === 0 ? first : ["The input does not fit:", ...rest].join("\n");
}

/** On one line where it is short. */
function inputText({ input }: Approval): string {
  const short = JSON.stringify(input) ?? "";
  return short.length <= 60 ? short : JSON.stringify(input, undefined, 2);
}

export function paragraph(text: string, width: number, colour?: Colour, margin = indent): Line[] {
  const lines = wrap(oneLine(text, 2000), width - indent.length);
  return lines.map((line, index) => ({ text: `${index === 0 ? margin : indent}${line}`, ...(colour && { colour }) }));
}

/** Text whose own lines count; what is too long goes on in the next. */
function block(
  text: string,
  { width, whole, rest }: { width: number; whole: boolean; rest: string },
  colourOf?: (line: string) => Colour | undefined,
): Line[] {
  const lines = harmless(text).replaceAll("\t", "  ").trimEnd().split("\n");
  const shown = whole ? lines : lines.slice(0, most);
  const left = lines.length - shown.length;
  return [
    ...shown.flatMap((line) => {
      const colour = colourOf?.(line);
      return pieces(line, width - indent.length).map((text) => ({ text: indent + text, ...(colour && { colour }) }));
    }),
    ...(left > 0 ? paragraph(`… ${left} more lines; ${rest}`, width, "dim") : []),
  ];
}

function pieces(line: string, width: number): string[] {
  const room = Math.max(width, 10);
  const count = Math.max(1, Math.ceil(line.length / room));
  return Array.from({ length: count }, (_, index) => line.slice(index * room, (index + 1) * room));
}

function colourOfDiff(line: string): Colour | undefined {
  if (line.startsWith("+")) return "green";
  return line.startsWith("-") ? "red" : undefined;
}
