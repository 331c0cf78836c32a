import { omitUndefined } from "@bridle/protocol";
import { type ColumnStructure, recogniseSensitive, type TableStructure } from "@bridle/warehouse";
import type { ColumnProfileFacts } from "../facts/facts.ts";
import type { MeasuredFacts } from "../facts/facts-schemas.ts";
import { formatTableId } from "../facts/identifiers.ts";
import type { ColumnProfile, TableProfile } from "../joins/profile.ts";
import type { JoinMeasurement } from "../profiles/stored-profile.ts";
import { hiddenColumn } from "../profiles/table-meter.ts";
import { countKeys } from "./count-keys.ts";
import { digestOfFilter } from "./fingerprints.ts";
import { isComparableType } from "./join-questions.ts";
import { readTable, type TableReading } from "./read-table.ts";
import type { ScanSession } from "./scan-session.ts";

export interface MeasuredTable {
  readonly facts: MeasuredFacts;
  readonly measurement: JoinMeasurement;
  /** Why the keys of a sampled table could not be counted. */
  readonly uncounted?: string | undefined;
}

/** Reads a table once, and measures it for display and for the join search. */
export async function measureTable(
  table: TableStructure,
  session: ScanSession,
  settings: { readonly sampleRows: number; readonly scannedAt: string },
): Promise<MeasuredTable> {
  const marked = (column: ColumnStructure) => session.warehouse.markedSensitive({ ...table, column: column.name });
  const columns = table.columns.filter((column) => marked(column) !== true);
  const reading = await readTable(table, columns, session, settings.sampleRows);
  const { meter } = reading;
  const sensitive = new Map<string, string>();
  for (const column of table.columns) if (marked(column) === true) sensitive.set(column.name, "marked");
  for (const each of meter.meters) {
    const { name, type } = each.column;
    if (marked(each.column) === false) continue;
    const found = recogniseSensitive({ name, type, values: each.someTexts() });
    if (found !== undefined) sensitive.set(name, found);
  }
  const profile = joinProfileOf(table, session, reading, sensitive);
  const counted = await countKeys(profile, reading, table, session);
  const facts = factsOf(table, session.warehouse.name, reading, sensitive, settings.scannedAt);
  const filter = digestOfFilter(session.warehouse.filterOf(table));
  return { facts: { ...facts, ...(filter !== undefined && { filter }) }, ...counted };
}

function factsOf(
  { schema, table, kind, reads, columns, comment }: TableStructure,
  connection: string,
  { meter, rows, method, exact }: TableReading,
  sensitive: ReadonlyMap<string, string>,
  scannedAt: string,
): MeasuredFacts {
  const meters = new Map(meter.meters.map((each) => [each.column.name, each]));
  return {
    id: formatTableId({ connection, schema, table }),
    connection,
    schema,
    table,
    kind,
    ...(reads === undefined ? {} : { reads }),
    columns: columns.map((column) => {
      const reason = sensitive.get(column.name);
      const profile = meters.get(column.name)?.valueProfile(meter.rows, reason !== undefined);
      return {
        ...describeColumn(column),
        ...(reason === undefined ? {} : { sensitive: reason }),
        ...(profile && { profile }),
      };
    }),
    ...(comment === undefined ? {} : { comment }),
    rows,
    rowsAreExact: exact,
    sample: method,
    scannedAt,
  };
}

/** Returns the facts about a column that the catalog declares. */
export function describeColumn({
  name,
  type,
  nativeType,
  nullable,
  charset,
  comment,
}: ColumnStructure): ColumnProfileFacts {
  return { name, type, nativeType, nullable, ...omitUndefined({ charset, comment }) };
}

function joinProfileOf(
  { schema, table, columns }: TableStructure,
  { warehouse, dialect }: ScanSession,
  { meter, rows, method }: TableReading,
  sensitive: ReadonlyMap<string, string>,
): TableProfile {
  const meters = new Map(meter.meters.map((each) => [each.column.name, each]));
  const scale = meter.rows === 0 ? 1 : rows / meter.rows;
  const sampled = method !== "all rows";
  return {
    id: formatTableId({ connection: warehouse.name, schema, table }),
    name: table,
    schema,
    rows,
    repeatedRows: Math.round(meter.repeatedRows * scale),
    sampled,
    columns: columns.map((column) => {
      const own = isComparableType(dialect.id, column.type) ? meters.get(column.name) : undefined;
      const found = own?.joinProfile(meter.rows, sensitive.has(column.name));
      return found === undefined ? hiddenColumn(column) : scaled(found, sampled ? scale : 1);
    }),
  };
}

/** Estimates the numbers for all rows from those of a sample. */
function scaled(column: ColumnProfile, scale: number): ColumnProfile {
  if (scale <= 1) return column;
  const share = column.filled === 0 ? 0 : column.distinct / column.filled;
  const distinct = Math.round(column.distinct * (share < 0.5 ? 1 : 1 + (scale - 1) * share ** 4));
  const filled = Math.round(column.filled * scale);
  return { ...column, filled, distinct: Math.min(filled, distinct), sketch: { ...column.sketch, complete: false } };
}
