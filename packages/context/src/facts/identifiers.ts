/** Identifiers of tables and columns: `connection.schema.table` and `connection.schema.table.column`. */

export interface TablePath {
  readonly connection: string;
  readonly schema: string;
  readonly table: string;
}

export interface ColumnPath extends TablePath {
  readonly column: string;
}

/** Writes the parts with dots between them. A part that is empty or contains a dot, a quote or a space is quoted: `w.main."a.b"`. */
export function formatTableId({ connection, schema, table }: TablePath): string {
  return [connection, schema, table].map(formatPart).join(".");
}

export function formatColumnId(path: ColumnPath): string {
  return `${formatTableId(path)}.${formatPart(path.column)}`;
}

function formatPart(part: string): string {
  return /^[^\s."]+$/.test(part) ? part : `"${part.replaceAll('"', '""')}"`;
}
