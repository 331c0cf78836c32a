import { type ColumnStructure, recogniseSensitive, type TableStructure } from "@bridle/warehouse";
import type { ColumnProfileFacts } from "../facts/facts.ts";
import type { MeasuredFacts } from "../facts/facts-schemas.ts";
import { formatTableId } from "../facts/identifiers.ts";
import { findKeyCandidates } from "../joins/key-candidates.ts";
import type { ColumnProfile, TableProfile, TupleCount } from "../joins/profile.ts";
import { describeSchema } from "../joins/schema-facts.ts";
import type { JoinMeasurement } from "../profiles/stored-profile.ts";
import { hiddenColumn, type TableMeter } from "../profiles/table-meter.ts";
import { countTuplesSql } from "./join-questions.ts";
import { readTable, type TableReading } from "./read-table.ts";
import type { ScanSession } from "./scan-session.ts";

export interface MeasuredTable {
  readonly facts: MeasuredFacts;
  readonly measurement: JoinMeasurement;
}

/** A table may cost so many queries. */
const mostQueries = 4;

/** Reads a table once, and measures it: what is shown, and what the search for joins needs. */
export async function measureTable(
  table: TableStructure,
  session: ScanSession,
  settings: { readonly sampleRows: number; readonly scannedAt: string },
): Promise<MeasuredTable> {
  const before = session.queries;
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
  const estimated = joinProfileOf(table, session.warehouse.name, reading, sensitive);
  const profile = estimated.sampled === true ? await verifyUnique(estimated, reading, table, session) : estimated;
  const measurement = await addTuples(profile, reading, table, session, mostQueries - (session.queries - before));
  return { facts: factsOf(table, session.warehouse.name, reading, sensitive, settings.scannedAt), measurement };
}

function factsOf(
  { schema, table, kind, columns, comment }: TableStructure,
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

/** The facts about a column that the catalogue declares. */
export function describeColumn({ name, type, nativeType, nullable, comment }: ColumnStructure): ColumnProfileFacts {
  return { name, type, nativeType, nullable, ...(comment === undefined ? {} : { comment }) };
}

function joinProfileOf(
  { schema, table, columns }: TableStructure,
  connection: string,
  { meter, rows, method }: TableReading,
  sensitive: ReadonlyMap<string, string>,
): TableProfile {
  const meters = new Map(meter.meters.map((each) => [each.column.name, each]));
  const scale = meter.rows === 0 ? 1 : rows / meter.rows;
  const sampled = method !== "all rows";
  return {
    id: formatTableId({ connection, schema, table }),
    name: table,
    rows,
    repeatedRows: Math.round(meter.repeatedRows * scale),
    sampled,
    columns: columns.map((column) => {
      const found = meters.get(column.name)?.joinProfile(meter.rows, sensitive.has(column.name));
      return found === undefined ? hiddenColumn(column) : scaled(found, sampled ? scale : 1);
    }),
  };
}

/** Estimates for all rows from those of a sample. */
function scaled(column: ColumnProfile, scale: number): ColumnProfile {
  if (scale <= 1) return column;
  const share = column.filled === 0 ? 0 : column.distinct / column.filled;
  const distinct = Math.round(column.distinct * (share < 0.5 ? 1 : 1 + (scale - 1) * share ** 4));
  const filled = Math.round(column.filled * scale);
  return { ...column, filled, distinct: Math.min(filled, distinct), sketch: { ...column.sketch, complete: false } };
}

/** Counts the sets of columns that the search for keys asks about: in the rows that were read, and if they are a sample, exactly. */
async function addTuples(
  profile: TableProfile,
  { meter }: TableReading,
  table: TableStructure,
  session: ScanSession,
  queries: number,
): Promise<JoinMeasurement> {
  const tuples: (TupleCount & { columns: readonly string[] })[] = [];
  let left = queries;
  const countTuples = async (_: string, sets: readonly (readonly string[])[]) => {
    const read = meter.countTuples(sets);
    const ask = profile.sampled === true && left-- > 0;
    const exact = ask ? await countExactly(read, sets, meter, table, session) : read;
    const scale = meter.rows === 0 ? 1 : profile.rows / meter.rows;
    const counts = exact.map((count, at) => (count === read[at] ? scaledCount(count, scale) : count));
    tuples.push(...sets.map((columns, at) => ({ columns, filled: 0, distinct: 0, ...counts[at] })));
    return counts;
  };
  const [described] = describeSchema([profile]).tables;
  const checks = { countTuples, countOrphans: async () => ({ filled: 0, orphans: 0, examples: [] }) };
  if (described !== undefined) await findKeyCandidates(described, checks);
  return { profile, tuples };
}

/** Counts the values of columns in all rows that are unique in the sample, with one query. */
async function verifyUnique(
  profile: TableProfile,
  { meter }: TableReading,
  table: TableStructure,
  session: ScanSession,
): Promise<TableProfile> {
  const sets = profile.columns.map(({ name }) => [name]);
  const sampled = meter.countTuples(sets);
  const counts = await countExactly(sampled, sets, meter, table, session);
  const columns = profile.columns.map((column, at) => {
    const exact = counts[at];
    return exact === undefined || exact === sampled[at] ? column : { ...column, ...exact };
  });
  return { ...profile, columns };
}

/** What a sample says about all rows, if every tuple that it repeats is repeated there as often. */
function scaledCount({ filled, distinct }: TupleCount, scale: number): TupleCount {
  return { filled: Math.round(filled * scale), distinct: Math.round(distinct * scale) };
}

/** Asks about sets that are unique in the sample. The others cannot be unique in the table. */
async function countExactly(
  sampled: readonly TupleCount[],
  sets: readonly (readonly string[])[],
  meter: TableMeter,
  table: TableStructure,
  session: ScanSession,
): Promise<readonly TupleCount[]> {
  const unique = sets.flatMap((columns, at) => {
    const { filled = 0, distinct = 0 } = sampled[at] ?? {};
    return filled >= 0.98 * meter.rows && distinct >= 0.99 * filled ? [{ columns, at }] : [];
  });
  if (unique.length === 0) return sampled;
  const relation = session.warehouse.relationOf(table);
  const sql = countTuplesSql(
    session.dialect,
    { relation, columns: table.columns },
    unique.map(({ columns }) => columns),
  );
  const counts = [...sampled];
  await session.read(sql, {
    maxRows: unique.length,
    use: ([number, filled, distinct]) => {
      const { at } = unique[Number(number)] ?? {};
      if (at !== undefined) counts[at] = { filled: Number(filled ?? 0), distinct: Number(distinct ?? 0) };
    },
  });
  return counts;
}
