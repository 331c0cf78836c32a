import type { MetricAnswer } from "@bridle/app/metrics";
import { formatByPattern, readNumberPattern } from "@bridle/protocol";
import { formatCell } from "../sql/format-rows.ts";

type Value = MetricAnswer["rows"][number][number];

/** Formats a value in the format of its measure, or returns it unchanged if the measure has none. */
export function formatInColumn(value: Value, { format }: Pick<MetricAnswer["columns"][number], "format">): string {
  const known = format === undefined ? undefined : readNumberPattern(format);
  return (known && formatByPattern(value, known)) ?? formatCell(value);
}

/** Returns the answer with all values in the formats of their measures. */
export function inFormats<Answer extends Pick<MetricAnswer, "columns" | "rows">>(answer: Answer): Answer {
  const { columns, rows } = answer;
  if (columns.every(({ format }) => format === undefined)) return answer;
  const shown = (value: Value, at: number): Value => {
    const column = columns[at];
    return column?.format === undefined ? value : formatInColumn(value, column);
  };
  return { ...answer, rows: rows.map((row) => row.map(shown)) };
}
