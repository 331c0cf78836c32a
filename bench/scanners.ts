/**
 * Prints the CPU time per MB of every function that reads untrusted text, on ordinary input and on input that may be slow for the function,
 * and lists the functions that take more than linear time. The measured functions come from the sources, because most of them are internal.
 */
import { parseArgs } from "node:util";
import { type Scanner, scanners } from "./scanners/scanners.ts";
import { ordinary, type SizedText } from "./scanners/texts.ts";

/** The sizes of the input in megabytes. */
const sizes = [0.1, 1, 10] as const;

/**
 * The longest time for one size, in milliseconds. After a longer time, the next size is skipped, because it would take ten or a hundred
 * times as long.
 */
const longest = 2000;

/** The shortest time in milliseconds that counts. Shorter times are too inexact to measure the growth. */
const shortest = 50;

/**
 * The highest exponent that counts as linear. Linear time has an exponent of 1, quadratic time of 2; the margin covers other load on the
 * machine.
 */
const maxGrowth = 1.1;

interface Row {
  readonly name: string;
  readonly text: string;
  /** CPU time in milliseconds per megabyte, by size. */
  readonly times: readonly (number | undefined)[];
  /** The exponent with which the time grows with the size. */
  readonly growth: number | undefined;
}

const { values } = parseArgs({
  options: {
    /** Measures only the functions whose names contain this string. Default: all. */
    only: { type: "string", default: "" },
    /** The size of the largest input, in megabytes. */
    max: { type: "string", default: "10" },
  },
});

console.log(
  "\nCPU time in ms per MB, for texts of 0.1, 1 and 10 MB, and the exponent of the growth between the largest two",
);
const rows: Row[] = [];
for (const [name, scanner] of Object.entries(scanners)) {
  if (!name.includes(values.only)) continue;
  console.log(`\n  ${name}`);
  for (const text of [...ordinary, ...scanner.hostile]) {
    const row = await measureText(name, scanner, text, Number(values.max));
    rows.push(row);
    console.log(formatRow(row));
  }
}
printSummary(rows);

async function measureText(name: string, scanner: Scanner, text: SizedText, max: number): Promise<Row> {
  const times: (number | undefined)[] = [];
  let last = 0;
  for (const size of sizes) {
    const isSkipped = size > Math.min(max, scanner.max ?? max) || last > longest;
    if (!isSkipped) last = await measure(scanner, text.make(size * 1_000_000));
    times.push(isSkipped ? undefined : last / size);
  }
  return { name, text: text.name, times, growth: growthOf(times) };
}

/** Returns the time of the faster of two runs, or of a single run if that takes long. The first run of a function also compiles it. */
async function measure(scanner: Scanner, text: string): Promise<number> {
  const first = await measureOnce(scanner, text);
  return first > 300 ? first : Math.min(first, await measureOnce(scanner, text));
}

async function measureOnce({ scan }: Scanner, text: string): Promise<number> {
  const before = process.cpuUsage();
  try {
    await scan(text);
  } catch {
    // a refused text was also read to the end, or not at all
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Computes the exponent from the two largest sizes. Undefined if the times are too short to tell. */
function growthOf(times: readonly (number | undefined)[]): number | undefined {
  const measured = sizes.flatMap((size, index) => {
    const time = times[index];
    return time === undefined ? [] : [{ size, total: time * size }];
  });
  const [before, last] = measured.slice(-2);
  if (before === undefined || last === undefined || last.total < shortest) return undefined;
  return Math.log(last.total / Math.max(before.total, 0.1)) / Math.log(last.size / before.size);
}

function formatRow({ text, times, growth }: Row): string {
  const cells = times.map((time) => (time === undefined ? "–" : time.toFixed(1)).padStart(10));
  return `    ${text.padEnd(32)}${cells.join("")}${(growth === undefined ? "–" : growth.toFixed(2)).padStart(8)}`;
}

function printSummary(rows: readonly Row[]): void {
  const growing = rows.filter(({ growth = 0 }) => growth > maxGrowth);
  const functions = new Set(rows.map(({ name }) => name)).size;
  console.log(`\n  ${functions} functions, ${rows.length} texts; ${growing.length} with an exponent over ${maxGrowth}`);
  for (const { name, text, growth } of growing) console.log(`    ${name}, ${text}: ${growth?.toFixed(2)}`);
}
