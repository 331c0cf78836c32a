/** Formats the question about a call as lines of a screen, and maps keys to answers. Pure. */
import type { Approval } from "@bridle/protocol";
import { keysFor, parseTypedAnswer, type TypedAnswer } from "../questions/parse-answer.ts";
import { callLines, paragraph, type QuestionLine } from "../questions/question-lines.ts";
import { maxColumnsOf } from "../terminal/columns.ts";
import { wrap } from "../terminal/wrap.ts";
import type { Style } from "./style.ts";

export interface QuestionView {
  readonly approval: Approval;
  /** The number of the question, from 1, and the total number of questions. */
  readonly position: readonly [number, number];
  /** Whether all rows are shown. */
  readonly isWhole: boolean;
  /** A message that is sent to the model with the answer. */
  readonly words: string;
  /** The key that the arrows have selected. At first no key is selected, so that Enter alone answers nothing. */
  readonly selected?: string | undefined;
  /** Why the last input is invalid. */
  readonly problem?: string | undefined;
}

const indent = "  ";
/** How many rows of an input or a preview are shown at first. Both then fit a terminal of 24 lines. */
const max = 8;

const viewKeys = ["v", "w"] as const;

/** Returns the next or previous key, which Enter then presses. Without a selection, returns the first or the last key. */
export function moveSelection({ approval, selected }: QuestionView, by: 1 | -1): string | undefined {
  const all = [...keysFor(approval).map(({ key }) => key), ...viewKeys];
  const at = selected === undefined ? (by === 1 ? -1 : 0) : all.indexOf(selected);
  return all.at((at + by) % all.length);
}

/** Returns the meaning of a key; `undefined` for keys without a meaning. */
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
  const [at, count] = position;
  const lines: QuestionLine[] = [
    ...callRows(approval, width, isWhole),
    ...(count > 1 ? paragraph(`question ${at} of ${count}; Tab shows the next`, width, "dim") : []),
    ...(words === "" ? [] : paragraph(`Message to the model: ${words}`, width, "cyan")),
    ...(problem === undefined ? [] : paragraph(problem, width, "red")),
  ];
  const painted = lines.map(({ text, colour }) => (colour ? style.paint(colour, text) : text));
  return [...painted, ...keyLines(question, width, style)]; // nothing is cut off: the user has to see the whole call
}

interface LaidOut {
  readonly width: number;
  readonly isWhole: boolean;
  readonly rows: readonly QuestionLine[];
}

const laidOut = new WeakMap<Approval, LaidOut>();

/** Caches the formatted lines of a call, because the screen is drawn for every key and every second. */
function callRows(approval: Approval, width: number, isWhole: boolean): readonly QuestionLine[] {
  const found = laidOut.get(approval);
  if (found?.width === width && found.isWhole === isWhole) return found.rows;
  const rows = callLines(approval, width, { whole: isWhole, max, remedy: "v shows them" });
  laidOut.set(approval, { width, isWhole, rows });
  return rows;
}

function keyLines({ approval, isWhole, selected }: QuestionView, width: number, style: Style): string[] {
  const more = [
    { key: "v", label: isWhole ? "show less" : "show all" },
    { key: "w", label: "message to the model" },
    { key: "Esc", label: "stop the run" },
  ];
  const room = width - indent.length;
  const items = [...keysFor(approval), ...more].map(({ key, label }) => {
    const mark = key === selected ? "› " : "";
    const [first = "", ...rest] = wrap(`${mark}${key} ${label}`, room, maxColumnsOf);
    const name = style.paint(mark === "" ? "bold" : "cyan", mark + key);
    const painted = [name + first.slice(mark.length + key.length), ...rest];
    return { length: rest.length > 0 ? room : maxColumnsOf(first), rows: painted };
  });
  return joined(items, room).map((line) => indent + line);
}

const separator = " · ";

interface KeyItem {
  readonly length: number;
  readonly rows: readonly string[];
}

/** Joins items into as few lines as possible. Only items that are longer than a line are broken. */
function joined(items: readonly KeyItem[], width: number): string[] {
  const lines: KeyItem[] = [];
  for (const item of items) {
    const last = lines.at(-1);
    const length = (last?.length ?? width) + maxColumnsOf(separator) + item.length;
    if (last && length <= width)
      lines[lines.length - 1] = { length, rows: [last.rows.concat(item.rows).join(separator)] };
    else lines.push(item);
  }
  return lines.flatMap(({ rows }) => rows);
}
