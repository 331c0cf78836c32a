import type { ColumnPath, TablePath } from "./identifiers.ts";

/** Splits an identifier that `formatTableId` wrote into its parts; undefined if the string is not an identifier. */
export function splitIdentifier(text: string): readonly string[] | undefined {
  const parts: string[] = [];
  const part = /"((?:[^"]|"")*)"|([^\s."]+)/y;
  for (;;) {
    const found = part.exec(text);
    if (!found) return undefined;
    parts.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? "");
    if (part.lastIndex === text.length) return parts;
    if (text[part.lastIndex] !== ".") return undefined;
    part.lastIndex += 1;
  }
}

/** Parses `connection.schema.table`; undefined if the string is not a table identifier. */
export function parseTableId(text: string): TablePath | undefined {
  const [connection, schema, table, ...rest] = splitIdentifier(text) ?? [];
  if (connection === undefined || schema === undefined || table === undefined || rest.length > 0) return undefined;
  return { connection, schema, table };
}

/** Parses `connection.schema.table.column`; undefined if the string is not a column identifier. */
export function parseColumnId(text: string): ColumnPath | undefined {
  const [connection, schema, table, column, ...rest] = splitIdentifier(text) ?? [];
  if (connection === undefined || schema === undefined || table === undefined) return undefined;
  return column === undefined || rest.length > 0 ? undefined : { connection, schema, table, column };
}
