import { stripVTControlCharacters } from "node:util";
import { type Output } from "../command-line/cli.ts";
import { columnsOf } from "../terminal/columns.ts";

const up = (rows: number) => (rows === 0 ? "" : `\u001b[${rows}A`);
/** Line by line: some terminals keep what stood on a screen that is erased from its first line on. */
const eraseRest = "\u001b[K";
const eraseBelow = "\u001b[J";

/** Lines at the end of a terminal that change in place, below those that stay. */
export interface LiveBoard {
  /** Shows these lines instead of those before, none wider than the terminal; `stays` go above them, for good. */
  show(lines: readonly string[], stays?: string): void;
  /** Takes the lines away. */
  clear(): void;
}

export function createLiveBoard(output: Output): LiveBoard {
  let shown: readonly string[] = [];

  /** A terminal that became narrower has broken the lines anew. */
  function rowsOf(line: string): number {
    return Math.max(1, Math.ceil(columnsOf(stripVTControlCharacters(line)) / (output.columns ?? 80)));
  }

  /** How far it is from the last line to the first. */
  function heightOf(lines: readonly string[]): number {
    return lines.reduce((sum, line) => sum + rowsOf(line), 0) - 1;
  }

  function show(lines: readonly string[], stays = ""): void {
    const text = `${stays}${lines.join("\n")}`;
    const over = `${text.replaceAll("\n", `${eraseRest}\n`)}${eraseRest}${eraseBelow}`;
    output.write(shown.length === 0 ? text : `${up(heightOf(shown))}\r${over}`);
    shown = lines;
  }

  function clear(): void {
    if (shown.length === 0) return;
    const rows = heightOf(shown);
    output.write(`${up(rows)}\r${`${eraseRest}\n`.repeat(rows)}${eraseRest}${up(rows)}`);
    shown = [];
  }
  return { show, clear };
}
