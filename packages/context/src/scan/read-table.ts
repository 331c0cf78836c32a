import type { ColumnStructure, SampleStatement, TableStructure } from "@bridle/warehouse";
import { TableMeter } from "../profiles/table-meter.ts";
import type { ScanSession } from "./scan-session.ts";

export interface TableReading {
  readonly meter: TableMeter;
  /** The number of rows in the table, which the engine estimated unless `exact`. */
  readonly rows: number;
  readonly exact: boolean;
  /** How the rows were chosen: `all rows`, or the sampling method. */
  readonly method: string;
}

/** The maximum number of values in memory. A wide table is sampled to stay below it. */
const maxCells = 2_000_000;
const minRows = 1_000;
const seed = 7;

/** Reads all rows of a table, or a sample if it has more rows than `sampleRows`. Sends one query, and two more if its size is unknown. */
export async function readTable(
  table: TableStructure,
  columns: readonly ColumnStructure[],
  session: ScanSession,
  sampleRows: number,
): Promise<TableReading> {
  const max = Math.max(
    Math.min(minRows, sampleRows),
    Math.min(sampleRows, Math.floor(maxCells / Math.max(1, columns.length))),
  );
  const estimated = table.estimatedRows ?? 0;
  const filter = session.filterOf(table);
  if (estimated > 1.5 * max && filter === undefined && table.kind === "table") {
    return await readSample(table, columns, session, { rows: max, of: estimated, exact: false });
  }
  const statement =
    filter === undefined
      ? session.dialect.selectSample(table, names(columns))
      : selectFiltered(session, columns, filter);
  const whole = await readRows(statement, columns, session, 2 * max);
  const { meter, truncated } = whole;
  if (truncated === undefined) return { meter, rows: meter.rows, exact: true, method: "all rows" };
  if (truncated === "rows" && filter === undefined && table.kind === "table") {
    const [counted] = await session.readRow(`SELECT COUNT(*) AS n FROM ${session.dialect.quoteTable(table)}`);
    return await readSample(table, columns, session, { rows: max, of: Number(counted ?? 0), exact: true });
  }
  const rows = Math.max(meter.rows, estimated);
  return { meter, rows, exact: false, method: `the first ${meter.rows} rows` };
}

async function readSample(
  table: TableStructure,
  columns: readonly ColumnStructure[],
  session: ScanSession,
  { rows, of, exact }: { rows: number; of: number; exact: boolean },
): Promise<TableReading> {
  const statement = session.dialect.selectSample(table, names(columns), { rows, of, seed });
  const { meter, truncated } = await readRows(statement, columns, session, 2 * rows);
  const method = truncated === undefined ? statement.method : `${statement.method}, of it the first ${meter.rows} rows`;
  return { meter, rows: Math.max(of, meter.rows), exact, method };
}

async function readRows(
  { sql }: Pick<SampleStatement, "sql">,
  columns: readonly ColumnStructure[],
  session: ScanSession,
  maxRows: number,
) {
  let meter = new TableMeter(columns);
  const restart = () => {
    meter = new TableMeter(columns);
  };
  const truncated = await session.read(sql, { maxRows, restart, use: (row) => meter.add(row) });
  return { meter, truncated };
}

function selectFiltered({ dialect }: ScanSession, columns: readonly ColumnStructure[], relation: string) {
  const list = columns.map(({ name }) => dialect.quoteIdentifier(name)).join(", ");
  return { sql: `SELECT ${list === "" ? "1" : list} FROM ${relation} AS r` };
}

function names(columns: readonly ColumnStructure[]): readonly string[] {
  return columns.map(({ name }) => name);
}
