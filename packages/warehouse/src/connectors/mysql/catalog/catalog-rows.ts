import { z } from "zod";

const text = z
  .unknown()
  .transform((value) => (value instanceof Uint8Array ? Buffer.from(value).toString("utf8") : String(value)));
const optionalText = z.unknown().transform((value) => (value === null ? undefined : text.parse(value)));
const count = optionalText.transform((value) => (value === undefined ? undefined : Number(value)));

/** The rows that the catalog queries return, with values in the order of the columns. */
export const tableRow = z.tuple([text, text, text, optionalText, count, optionalText]);
export const columnRow = z.tuple([text, text, text, text, text, text, optionalText, text, optionalText]);
export const viewRow = z.tuple([text, text, optionalText]);
export const keyRow = z.tuple([text, text, text, text]);
export const foreignKeyRow = z.tuple([text, text, text, text, text, text, text]);

export type TableRow = z.output<typeof tableRow>;
export type ColumnRow = z.output<typeof columnRow>;

/** Groups rows by their first two values: schema and table. */
export function groupByTable<Row extends readonly [string, string, ...unknown[]]>(
  rows: readonly Row[],
): ReadonlyMap<string, readonly Row[]> {
  return Map.groupBy(rows, ([schema, table]) => tableKey(schema, table));
}

export function tableKey(schema: string, table: string): string {
  return JSON.stringify([schema, table]);
}
