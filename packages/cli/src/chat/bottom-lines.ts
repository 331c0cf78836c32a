import { fitLine } from "../terminal/fit-line.ts";
/** Formats the lines between the conversation and the input, and the line below the input. Pure. */

import type { ChatView } from "@bridle/app/chat";
import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import { toPrintable, toPrintableLine } from "../terminal/printable.ts";
import type { ChoicePanel } from "./choice-panel.ts";
import type { Typing } from "./question-panel.ts";
import { chatQuestionLines, type QuestionView } from "./question-view.ts";
import { formatWorking, statusParts } from "./status-line.ts";
import type { Style } from "./style.ts";

export interface Bottom {
  readonly view: ChatView;
  readonly question: QuestionView | undefined;
  readonly typing: Typing | undefined;
  /** A question that the chat itself asks. */
  readonly choice?: Pick<ChoicePanel, "lines"> | undefined;
  /** The line that shows a search in earlier prompts. */
  readonly search?: string | undefined;
  /** The current time, in milliseconds since the epoch. */
  readonly now: number;
}

const typingText: Readonly<Record<Typing, string>> = {
  words: "Message to the model, then Enter. Esc cancels:",
  input: "The input as JSON, then Enter runs the call with it. Esc cancels:",
};

/** Formats the open question or the run in progress, then the waiting prompts, after an empty line. */
export function linesAbove(
  { view, question, typing, choice, search, now }: Bottom,
  width: number,
  style: Style,
): string[] {
  const dim = (text: string) => style.paint("dim", truncateToWidth(text, width, "…"));
  const working = formatWorking(view, now);
  const lines = [
    ...(question ? chatQuestionLines(question, width, style) : []),
    ...(working === undefined ? [] : [dim(working)]),
    ...view.queued.map(({ text }) => dim(`next: ${toPrintable(fitLine(text, 2 * width))}`)),
    ...(choice?.lines(width, style) ?? []),
    ...(typing ? [dim(typingText[typing])] : []),
    ...(search === undefined ? [] : [style.paint("cyan", fitLine(search, width))]),
  ];
  return ["", ...lines];
}

/** Formats one line. `hint` replaces everything else. */
export function statusLine(
  view: ChatView,
  backend: string,
  hint: string | undefined,
  width: number,
  style: Style,
): string {
  if (hint !== undefined) return style.paint("yellow", truncateToWidth(hint, width, "…"));
  let line = "";
  for (const part of statusParts(view, backend).map(toPrintableLine)) {
    const longer = line === "" ? part : `${line} · ${part}`;
    if (visibleWidth(longer) <= width) line = longer;
  }
  return style.paint("dim", line);
}
