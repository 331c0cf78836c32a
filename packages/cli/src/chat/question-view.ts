/** A question about a call as lines of a screen, and what a key means to it. Pure. */
import type { Approval } from "@bridle/protocol";
import { visibleWidth } from "@earendil-works/pi-tui";
import { keysFor, parseTypedAnswer, type TypedAnswer } from "../questions/parse-answer.ts";
import { callLines, paragraph, type QuestionLine } from "../questions/question-lines.ts";
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
/** Rows of an input or a preview that are shown at first. Both fit a terminal of 24 lines. */
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
  const [at, count] = position;
  const lines: QuestionLine[] = [
    ...callRows(approval, width, isWhole),
    ...(count > 1 ? paragraph(`question ${at} of ${count}; Tab shows the next`, width, "dim") : []),
    ...(words === "" ? [] : paragraph(`Message to the model: ${words}`, width, "cyan")),
    ...(problem === undefined ? [] : paragraph(problem, width, "red")),
  ];
  const painted = lines.map(({ text, colour }) => (colour ? style.paint(colour, text) : text));
  return fitLines([...painted, ...keyLines(question, width, style)], width);
}

interface LaidOut {
  readonly width: number;
  readonly isWhole: boolean;
  readonly rows: readonly QuestionLine[];
}

const laidOut = new WeakMap<Approval, LaidOut>();

/** The screen is drawn for every key and every second, but a long call is laid out once. */
function callRows(approval: Approval, width: number, isWhole: boolean): readonly QuestionLine[] {
  const found = laidOut.get(approval);
  if (found?.width === width && found.isWhole === isWhole) return found.rows;
  const rows = callLines(approval, width, { whole: isWhole, most, remedy: "v shows them" });
  laidOut.set(approval, { width, isWhole, rows });
  return rows;
}

function keyLines({ approval, isWhole }: QuestionView, width: number, style: Style): string[] {
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
