import { columnsOf, padEnd } from "./columns.ts";
import { wrap } from "./wrap.ts";

const gap = 2;
/** The maximum share of the width that names take. */
const widestShare = 0.45;

/** Formats names and their meanings in two columns. A name that is too long gets its own row. */
export function pairRows(pairs: readonly (readonly [name: string, text: string])[], width: number): string[] {
  const widest = Math.max(0, ...pairs.map(([name]) => columnsOf(name)));
  const column = Math.min(widest, Math.max(8, Math.floor(width * widestShare))) + gap;
  return pairs.flatMap(([name, text]) => {
    if (text === "") return [name];
    const [first = "", ...rest] = wrap(text, width - column);
    const below = rest.map((line) => " ".repeat(column) + line);
    if (columnsOf(name) + gap > column) return [name, " ".repeat(column) + first, ...below];
    return [padEnd(name, column) + first, ...below];
  });
}
