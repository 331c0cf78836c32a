import { median, type Series } from "./statistics.ts";

/** Prints a table to standard output. Ratios are relative to the first series, the peer. */
export function printTable(title: string, series: readonly Series[], { unit = "ms", target = "" } = {}): void {
  const peer = median(series[0]?.values ?? []);
  const rows = series.map(({ name, values }) => [
    name,
    ...[median(values), Math.min(...values), Math.max(...values)].map((value) => format(value, unit)),
    (median(values) / peer).toFixed(2),
  ]);
  const table = [["", "median", "min", "max", "ratio"], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = table.map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))),
  );
  console.log(`\n${title}, ${series[0]?.values.length ?? 0} rounds${target && `; target: ${target}`}`);
  for (const line of lines) console.log(`  ${line.join("   ")}`);
}

function format(value: number, unit: string): string {
  return `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ${unit}`;
}
