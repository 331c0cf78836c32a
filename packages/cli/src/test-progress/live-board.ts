import { stripVTControlCharacters } from "node:util";
import type { Output } from "../command/cli.ts";
import { columnsOf } from "../terminal/columns.ts";

const up = (rows: number) => (rows === 0 ? "" : `\u001b[${rows}A`);
/** The sequences that erase the lines one by one, because some terminals keep the old text if a screen is erased from its first line on. */
const eraseRest = "\u001b[K";
const eraseBelow = "\u001b[J";

/** Shows lines at the bottom of a terminal that change in place, below lines that stay. */
export class LiveBoard {
  readonly #output: Output;
  #shown: readonly string[] = [];

  constructor(output: Output) {
    this.#output = output;
  }

  /** Replaces the lines. None may be wider than the terminal. `permanent` is added above them and stays. */
  show(lines: readonly string[], permanent = ""): void {
    const text = `${permanent}${lines.join("\n")}`;
    const over = `${text.replaceAll("\n", `${eraseRest}\n`)}${eraseRest}${eraseBelow}`;
    this.#output.write(this.#shown.length === 0 ? text : `${up(this.#height())}\r${over}`);
    this.#shown = lines;
  }

  /** Removes the lines. */
  clear(): void {
    if (this.#shown.length === 0) return;
    const rows = this.#height();
    this.#output.write(`${up(rows)}\r${`${eraseRest}\n`.repeat(rows)}${eraseRest}${up(rows)}`);
    this.#shown = [];
  }

  /** Counts the rows from the last line to the first. */
  #height(): number {
    return this.#shown.reduce((sum, line) => sum + this.#rowsOf(line), 0) - 1;
  }

  /** Counts the rows of a line. A terminal that became narrower has wrapped the line. */
  #rowsOf(line: string): number {
    return Math.max(1, Math.ceil(columnsOf(stripVTControlCharacters(line)) / (this.#output.columns ?? 80)));
  }
}
