import { counted } from "@bridle/protocol";
import { StatementTimeoutError, type TableStructure, type WarehouseStructure } from "@bridle/warehouse";
import type { MeasuredFacts } from "../facts/facts-schemas.ts";
import { formatTableId } from "../facts/identifiers.ts";
import type { FactsDatabase } from "../facts/open-facts.ts";
import type { CommittedTable } from "../facts/stored-scan.ts";
import { encodeMeasurement } from "../profiles/stored-profile.ts";
import { describeScanFailure, describeTimeout, findLate, lateMark } from "./limits/timed-out.ts";
import { describeColumn, measureTable } from "./measure-table.ts";
import type { ScanOptions } from "./scan-options.ts";
import type { ProgressReporter } from "./scan-progress.ts";
import { endsScan, ScanBudgetError, type ScanSession } from "./scan-session.ts";

const defaultSampleRows = 100_000;

/** The fingerprint of a table without a measurement. Each scan tries such a table again. */
export const unreadableMark = "unreadable";
const notMeasuredMark = "not measured";

/** Begins the fingerprint of a table if its keys could not be counted. Each scan measures such a table again. */
const uncountedMark = "uncounted";

/** Whether the columns that are unique in the sample of a table could not be counted in all rows. */
export function isUncounted(fingerprint: string): boolean {
  return fingerprint.startsWith(uncountedMark);
}

/** A table that the scan found, with the current or future fingerprint of its measurement. */
export interface PlannedTable {
  readonly structure: TableStructure;
  readonly id: string;
  readonly fingerprint: string;
  /** Whether the engine cannot tell if the table changed. */
  readonly unknown: boolean;
}

/** Measures the tables of a scan, one after another, and stores each result immediately. */
export class TableScan {
  readonly problems: { readonly table: string; readonly problem: string }[] = [];
  readonly missing: string[] = [];
  measured = 0;
  /** The number of tables that have not changed since an earlier scan measured them. */
  unchanged = 0;
  readonly #name: string;
  readonly #startedAt: string;
  readonly #session: ScanSession;
  readonly #facts: FactsDatabase;
  readonly #options: ScanOptions;
  readonly #progress: ProgressReporter;
  #budgetEnd = "";

  constructor(
    name: string,
    startedAt: string,
    session: ScanSession,
    facts: FactsDatabase,
    options: ScanOptions,
    progress: ProgressReporter,
  ) {
    this.#name = name;
    this.#startedAt = startedAt;
    this.#session = session;
    this.#facts = facts;
    this.#options = options;
    this.#progress = progress;
  }

  /** Measures the changed tables. Returns all tables with the fingerprint under which their facts are stored. */
  async measureAll(
    tables: readonly PlannedTable[],
    committed: ReadonlyMap<string, CommittedTable>,
  ): Promise<readonly PlannedTable[]> {
    const known = this.#facts.stored.fingerprints(this.#name);
    const stored = new Map(tables.map((table) => [table.id, this.#orLate(table, known.get(table.id))]));
    const planned = [...stored.values()];
    const open = planned.filter((table) => !this.#isMeasured(table, known.get(table.id)));
    let left = 0;
    this.unchanged = planned.filter(({ fingerprint }) => !/^unread in time /.test(fingerprint)).length - open.length;
    this.#progress.update("tables", 0, open.length);
    for (const [at, table] of open.entries()) {
      const fingerprint = left > 0 ? notMeasuredMark : await this.#measure(table);
      if (fingerprint === notMeasuredMark) left++;
      else this.#progress.update("tables", at + 1, open.length);
      stored.set(table.id, { ...table, fingerprint: this.#orEarlier(table, fingerprint, committed) });
    }
    if (left > 0) this.missing.push(this.#describeLeft(left, tables.length));
    return [...stored.values()];
  }

  #describeLeft(left: number, all: number): string {
    const advice =
      this.measured > 0 ? "Scan again to continue." : "It is too small for the first of them, so raise it.";
    return `${left} of ${counted(all, "table")} ${left === 1 ? "was" : "were"} not measured: ${this.#budgetEnd} ${advice}`;
  }

  /** Marks work that exceeded its time limit, so that it is not tried again with the same limit unless the table has changed. */
  #orLate(table: PlannedTable, known: ReadonlySet<string> | undefined): PlannedTable {
    const { statementTimeoutMs: limit } = this.#session;
    if (this.#options.refresh === true) return table;
    const found = [...(known ?? [])].find((each) => findLate(each, limit, table.fingerprint) !== undefined);
    const late = found && findLate(found, limit, table.fingerprint);
    if (found === undefined || (late === "uncounted in time" && table.unknown)) return table;
    if (late === "uncounted in time") this.#reportUncounted(table, describeTimeout(limit));
    else this.problems.push({ table: table.id, problem: describeTimeout(limit) });
    return { ...table, fingerprint: found, unknown: false };
  }

  #reportUncounted({ id }: PlannedTable, reason: string): void {
    this.missing.push(`The keys of ${id} could not be counted in all rows: ${reason}`);
  }

  #isMeasured({ fingerprint, id, unknown }: PlannedTable, known: ReadonlySet<string> | undefined): boolean {
    if (this.#options.refresh !== true && !unknown) return known?.has(fingerprint) === true;
    if (known?.has(fingerprint) !== true) return false;
    const scannedAt = this.#facts.stored.measured(id, fingerprint)?.facts.scannedAt ?? "";
    return scannedAt === this.#startedAt; // this scan measured the table before it was interrupted
  }

  /** Measures a table and stores the result. Returns the fingerprint under which it is stored. */
  async #measure(table: PlannedTable): Promise<string> {
    const { sampleRows = defaultSampleRows } = this.#options;
    const settings = { sampleRows, scannedAt: this.#startedAt };
    try {
      const { facts, measurement, uncounted } = await measureTable(table.structure, this.#session, settings);
      const { id } = table;
      const fingerprint = this.#fingerprintOf(table, uncounted);
      if (uncounted !== undefined) this.#reportUncounted(table, uncounted);
      this.#facts.writer.measure(this.#name, [{ id, fingerprint, facts, profile: encodeMeasurement(measurement) }]);
      this.measured++;
      markSensitive(this.#session, facts);
      return fingerprint;
    } catch (error) {
      if (error instanceof ScanBudgetError) {
        this.#budgetEnd = error.message;
        return notMeasuredMark;
      }
      if (endsScan(error)) throw error;
      return this.#storeProblem(table, error);
    }
  }

  #fingerprintOf({ fingerprint }: PlannedTable, uncounted: string | undefined): string {
    const { statementTimeoutMs: limit } = this.#session;
    if (uncounted === undefined) return fingerprint;
    if (uncounted === describeTimeout(limit)) return lateMark("uncounted in time", limit, fingerprint);
    return `${uncountedMark} ${fingerprint}`;
  }

  #storeProblem(table: PlannedTable, error: unknown): string {
    const isLate = error instanceof StatementTimeoutError;
    const { statementTimeoutMs: limit } = this.#session;
    const problem = describeScanFailure(error, limit);
    const mark = isLate ? lateMark("unread in time", limit, table.fingerprint) : unreadableMark;
    this.problems.push({ table: table.id, problem });
    this.#storeStructure(table, problem, mark);
    return mark;
  }

  /** Returns the fingerprint to store. A table that the budget left out keeps the facts of an earlier scan. */
  #orEarlier(table: PlannedTable, fingerprint: string, committed: ReadonlyMap<string, CommittedTable>): string {
    if (fingerprint !== notMeasuredMark) return fingerprint;
    const earlier = committed.get(table.id)?.fingerprint;
    if (earlier !== undefined && earlier !== unreadableMark && !/^unread in time /.test(earlier)) return earlier;
    this.#storeStructure(table, `The table is not measured yet. ${this.#budgetEnd}`, notMeasuredMark);
    return notMeasuredMark;
  }

  #storeStructure({ id, structure }: PlannedTable, problem: string, fingerprint: string): void {
    const { schema, table, kind, reads, columns, comment, estimatedRows } = structure;
    const facts: MeasuredFacts = {
      id,
      connection: this.#name,
      schema,
      table,
      kind,
      ...(reads === undefined ? {} : { reads }),
      columns: columns.map(describeColumn),
      ...(comment === undefined ? {} : { comment }),
      ...(estimatedRows === undefined ? {} : { rows: estimatedRows }),
      rowsAreExact: false,
      problem,
      scannedAt: this.#startedAt,
    };
    this.#facts.writer.measure(this.#name, [{ id, fingerprint, facts }]);
  }

  /** Stores a table if the catalog shows only its name. */
  storeUnlisted({ problem, schema, table, kind = "table" }: WarehouseStructure["problems"][number]): PlannedTable {
    const empty = { primaryKey: [], uniqueKeys: [], foreignKeys: [], columns: [] };
    const structure: TableStructure = { schema, table, kind, ...empty };
    const planned = {
      structure,
      id: formatTableId({ connection: this.#name, schema, table }),
      fingerprint: unreadableMark,
      unknown: false,
    };
    this.#storeStructure(planned, problem, unreadableMark);
    return planned;
  }
}

/** Makes the warehouse mask the sensitive columns of a table from now on. */
export function markSensitive(
  { warehouse }: ScanSession,
  table: Pick<MeasuredFacts, "schema" | "table" | "columns">,
): void {
  const { schema, columns } = table;
  const found = columns.filter(({ sensitive }) => sensitive !== undefined);
  if (found.length === 0) return;
  warehouse.addSensitive(found.map(({ name }) => ({ schema, table: table.table, column: name })));
}
