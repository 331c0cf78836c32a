import { median } from "../statistics.ts";

/** A measured figure, with one value for each round. */
export interface Figure {
  readonly name: string;
  readonly values: readonly number[];
  readonly unit?: string;
  readonly goal?: number;
  /** Whether a greater value is better. Default: a smaller value is better. */
  readonly isMore?: boolean;
}

/** Prints each figure next to its goal. Only the best round counts, because other work on the machine can only make a round worse. */
export function printFigures(title: string, figures: readonly Figure[]): void {
  const rows = figures.map(({ name, values, unit = "ms", goal, isMore = false }) => {
    const best = isMore ? Math.max(...values) : Math.min(...values);
    const isMet = goal === undefined || (isMore ? best >= goal : best <= goal);
    const goalText = goal === undefined ? "" : `${isMore ? "≥" : "≤"} ${goal} ${unit}`;
    return [name, format(best, unit), format(median(values), unit), goalText, isMet ? "" : "missed"];
  });
  const table = [["", "best", "median", "goal", ""], ...rows];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  console.log(`\n${title}, ${figures[0]?.values.length ?? 0} rounds`);
  for (const row of table)
    console.log(`  ${row.map((cell, at) => pad(cell, at, widths[at] ?? 0)).join("   ")}`.trimEnd());
}

function pad(cell: string, column: number, width: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}

function format(value: number, unit: string): string {
  const digits = unit === "" ? (Number.isInteger(value) ? 0 : 3) : value < 10 ? 2 : value < 100 ? 1 : 0;
  return `${value.toFixed(digits)} ${unit}`.trim();
}

/** Measures several times. */
export async function inRounds<T>(rounds: number, measure: () => Promise<T>): Promise<T[]> {
  const measured: T[] = [];
  for (let round = 0; round < rounds; round += 1) measured.push(await measure());
  return measured;
}
