import { matchesKey } from "@earendil-works/pi-tui";
import { maxColumnsOf, splitRows } from "../terminal/columns.ts";
import { fitLine } from "../terminal/fit-line.ts";
import { toPrintableLine } from "../terminal/printable.ts";
import { wrap } from "../terminal/wrap.ts";
import type { Style } from "./style.ts";

/** A question that the chat itself asks, such as which session to resume. Esc chooses nothing. */
export interface ChoiceQuestion {
  readonly title: string;
  /** The texts that the question is about. They come from elsewhere, so each is shown after a gutter. */
  readonly facts: readonly string[];
  readonly choices: readonly { readonly key: string; readonly label: string }[];
  /** The index of the choice that is selected at first. Without it, Enter alone chooses nothing. */
  readonly selected?: number;
}

/** How long keys are ignored so that the user can read the question, in milliseconds. */
const readingMs = 400;

/** Asks one question, and turns keys into the index of a choice. */
export class ChoicePanel {
  readonly #now: () => number;
  readonly #changed: () => void;
  #open:
    | { question: ChoiceQuestion; selected: number | undefined; answer(index: number | undefined): void }
    | undefined;
  #readableAt = 0;

  constructor(now: () => number, changed: () => void) {
    this.#now = now;
    this.#changed = changed;
  }

  /** Resolves with the index of the choice; `undefined` if the user chooses nothing. A second question closes the first. */
  ask(question: ChoiceQuestion): Promise<number | undefined> {
    this.close();
    return new Promise((resolve) => {
      this.#open = { question, selected: question.selected, answer: resolve };
      this.#readableAt = this.#now() + readingMs;
      setTimeout(this.#changed, readingMs + 10).unref();
      this.#changed();
    });
  }

  close(index?: number): void {
    const open = this.#open;
    this.#open = undefined;
    open?.answer(index);
    this.#changed();
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Handles a key. Keys that arrive before the user could read the question choose nothing. */
  key(data: string): void {
    if (this.#open === undefined || this.#now() < this.#readableAt) return;
    const { question, selected } = this.#open;
    const count = question.choices.length;
    const index = question.choices.findIndex(({ key }) => key === data.toLowerCase());
    if (index >= 0) this.close(index);
    else if (matchesKey(data, "escape") || matchesKey(data, "ctrl+c")) this.close();
    else if (matchesKey(data, "enter") && selected !== undefined) this.close(selected);
    else if (matchesKey(data, "down")) this.#open.selected = ((selected ?? -1) + 1) % count;
    else if (matchesKey(data, "up")) this.#open.selected = ((selected ?? 0) - 1 + count) % count;
    this.#changed();
  }

  lines(width: number, style: Style): string[] {
    return this.#open === undefined ? [] : choiceLines(this.#open.question, this.#open.selected, width, style);
  }
}

/** Formats a question of the chat as lines of a screen. Pure. */
export function choiceLines(
  { title, facts, choices }: ChoiceQuestion,
  selected: number | undefined,
  width: number,
  style: Style,
): string[] {
  const room = Math.max(width - 3, 10);
  return [
    ...wrap(`? ${title}`, width, maxColumnsOf).map((line) => style.paint("bold", line)),
    ...facts.flatMap((fact) => splitRows(toPrintableLine(fact), room, maxColumnsOf)).map((row) => `│ ${row}`),
    ...choices.map(({ key, label }, index) => {
      const line = `${index === selected ? "› " : "  "}${key} ${fitLine(label, room - key.length - 2)}`;
      return index === selected ? style.paint("cyan", line) : line;
    }),
    style.paint("dim", fitLine("  Arrows and Enter choose, too. Esc: none of these.", width)),
  ];
}
