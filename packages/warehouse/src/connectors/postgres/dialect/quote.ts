import type { TableName } from "../../../port/structure.ts";

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function quoteTable({ schema, table }: TableName): string {
  return `${quoteName(schema)}.${quoteName(table)}`;
}

/** Quotes a string. A string with backslashes becomes E'…', so that its meaning does not depend on `standard_conforming_strings`. */
export function quoteText(text: string): string {
  const quoted = text.replaceAll("'", "''");
  return quoted.includes("\\") ? `E'${quoted.replaceAll("\\", "\\\\")}'` : `'${quoted}'`;
}
