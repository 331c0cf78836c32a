import { sha256 } from "@bridle/core";
import type { Warehouse, WarehouseStructure } from "@bridle/warehouse";
import type { DriftEntry } from "../facts/facts.ts";
import type { StoredConnection } from "../facts/facts-schemas.ts";
import type { FactsWriter } from "../facts/facts-writer.ts";
import { formatTableId } from "../facts/identifiers.ts";
import type { FactsDatabase } from "../facts/open-facts.ts";
import { parseTableId } from "../facts/parse-identifier.ts";
import { compareScans } from "./compare-scans.ts";
import { type FoundFacts, findTableJoins } from "./find-table-joins.ts";
import { fingerprintOfTable } from "./fingerprints.ts";
import { findLate, isLateMark } from "./limits/timed-out.ts";
import type { ScanOptions, ScanReport } from "./scan-options.ts";
import { ProgressReporter } from "./scan-progress.ts";
import { ScanBudgetError, ScanSession } from "./scan-session.ts";
import { markSensitive, type PlannedTable, TableScan, unreadableMark } from "./table-scan.ts";

/**
 * Measures a warehouse: structure, profiles, keys and joins. Reads only tables that changed since the last scan, and continues a scan that
 * was interrupted. Replaces all facts at once at the end. Changes nothing in the warehouse.
 *
 * @throws ScanRunningError if another process scans the same connection; StoppedError if `signal` was aborted;
 * NetworkError if the connection was lost and could not be reopened; FactsError if the facts cannot be stored. After any of these except
 * ScanRunningError, the next scan continues.
 * @example
 * const report = await scan(warehouse, facts, { budget: { queries: 5_000 } });
 * console.log(`${report.joins} joins in ${report.tables} tables`, report.problems, report.missing);
 */
export async function scan(warehouse: Warehouse, facts: FactsDatabase, options: ScanOptions = {}): Promise<ScanReport> {
  const running = new WarehouseScan(warehouse, facts, options);
  return await running.run();
}

/** Change this string if the same tables now yield other facts, so that the next scan derives the facts again. */
const resultVersion = "joins with their multiplicity";

class WarehouseScan {
  readonly #session: ScanSession;
  readonly #facts: FactsDatabase;
  readonly #writer: FactsWriter;
  readonly #options: ScanOptions;
  readonly #progress: ProgressReporter;
  #unmatched: readonly string[] = [];
  readonly #problems: { table: string; problem: string }[] = [];
  readonly #missing: string[] = [];
  readonly #leftOut: string[] = [];
  readonly #name: string;
  #startedAt = "";
  #measured = 0;
  #unchanged = 0;

  constructor(warehouse: Warehouse, facts: FactsDatabase, options: ScanOptions) {
    this.#session = new ScanSession(warehouse, options);
    this.#facts = facts;
    this.#writer = facts.writer;
    this.#options = options;
    this.#progress = new ProgressReporter(options.onProgress, this.#session.now);
    this.#name = warehouse.name;
  }

  async run(): Promise<ScanReport> {
    this.#startedAt = this.#writer.begin(this.#connection(), new Date(this.#session.now()).toISOString());
    try {
      return await this.#scan();
    } catch (error) {
      this.#writer.release(this.#name);
      throw error;
    }
  }

  async #scan(): Promise<ScanReport> {
    this.#progress.update("structure", 0);
    const structure = await this.#readStructure();
    if (structure === undefined) return this.#withoutStructure();
    const tables = await this.#plan(structure);
    for (const view of await this.#session.warehouse.findLeftOutViews()) this.#leftOut.push(this.#idOf(view));
    this.#unmatched = await this.#session.warehouse.findUnusedPatterns();
    for (const { problem, ...table } of structure.problems) this.#problems.push({ table: this.#idOf(table), problem });
    const state = this.#stateOf(tables, structure);
    const committed = this.#facts.stored.committed(this.#name);
    if (this.#isUnchanged(state, tables)) return this.#confirm(tables);
    const reader = new TableScan(
      this.#name,
      this.#startedAt,
      this.#session,
      this.#facts,
      this.#options,
      this.#progress,
    );
    const stored = await reader.measureAll(tables, committed);
    const named = structure.problems.filter(({ table }) => table !== "*");
    const unlisted = named.map((problem) => reader.storeUnlisted(problem));
    this.#measured = reader.measured;
    this.#unchanged = reader.unchanged;
    this.#problems.push(...reader.problems);
    this.#missing.push(...reader.missing);
    const found = await findTableJoins(stored, this.#session, this.#facts, this.#options, this.#progress);
    this.#missing.push(...found.missing);
    return this.#finish(tables, [...stored, ...unlisted], found, state);
  }

  #connection(scannedAt?: string): StoredConnection {
    const { dialect, server } = this.#session.warehouse;
    return {
      name: this.#name,
      dialect,
      server: `${server.product} ${server.version}`.trim(),
      ...(scannedAt === undefined ? {} : { scannedAt }),
    };
  }

  readonly #isInScope = (id: string): boolean => {
    const path = parseTableId(id);
    return path !== undefined && this.#session.warehouse.isInScope(path);
  };

  #idOf({ schema, table }: { readonly schema: string; readonly table: string }): string {
    return formatTableId({ connection: this.#name, schema, table });
  }

  /** Reads the structure; undefined if the budget is too small. */
  async #readStructure(): Promise<WarehouseStructure | undefined> {
    try {
      return await this.#session.readStructure((done, total) => this.#progress.update("structure", done, 2 * total));
    } catch (error) {
      if (!(error instanceof ScanBudgetError)) throw error;
      const left = this.#facts.stored.isScanned(this.#name)
        ? "The facts of the last scan stay, so raise it."
        : "Nothing was scanned, so raise it.";
      this.#missing.push(`The structure was not read: ${error.message} ${left}`);
      return undefined;
    }
  }

  /** Ends the scan without a structure. The facts of the previous scan stay. */
  #withoutStructure(): ScanReport {
    this.#writer.release(this.#name);
    return this.#report([], [], []);
  }

  /** Reads the change markers. If the budget is too small, returns none: all tables may have changed. */
  async #readMarks(tables: WarehouseStructure["tables"]): Promise<readonly (string | undefined)[]> {
    const total = tables.length;
    const onProgress = (done: number) => this.#progress.update("structure", total + done, 2 * total);
    try {
      return await this.#session.readChangeMarks(tables, onProgress);
    } catch (error) {
      if (error instanceof ScanBudgetError) return tables.map(() => undefined);
      throw error;
    }
  }

  async #plan({ tables }: WarehouseStructure): Promise<readonly PlannedTable[]> {
    const { warehouse } = this.#session;
    const marks = await this.#readMarks(tables);
    const planned = tables.map((structure, at) => ({
      structure,
      id: this.#idOf(structure),
      fingerprint: fingerprintOfTable(structure, marks[at], warehouse, this.#options),
      unknown: marks[at] === undefined,
    }));
    return planned.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Returns a string for everything that the result depends on, except the rows of tables without a change marker. */
  #stateOf(tables: readonly PlannedTable[], { problems }: WarehouseStructure): string {
    const { decisions = [], proposals = [] } = this.#options;
    const own = tables.map(({ id, fingerprint }) => [id, fingerprint]);
    return sha256(JSON.stringify([resultVersion, own, problems, decisions, proposals]));
  }

  #isUnchanged(state: string, tables: readonly PlannedTable[]): boolean {
    if (this.#options.refresh === true || tables.some(({ unknown }) => unknown)) return false;
    return this.#facts.stored.state(this.#name) === state && !this.#hasLongerLimit(tables);
  }

  /** Whether a table that could not be read in time has more time now. */
  #hasLongerLimit(tables: readonly PlannedTable[]): boolean {
    const committed = this.#facts.stored.committed(this.#name);
    const { statementTimeoutMs } = this.#session;
    return tables.some(({ id, fingerprint }) => {
      const stored = committed.get(id)?.fingerprint ?? "";
      return isLateMark(stored) && findLate(stored, statementTimeoutMs, fingerprint) === undefined;
    });
  }

  #confirm(tables: readonly PlannedTable[]): ScanReport {
    this.#writer.confirm(this.#connection(this.#startedAt));
    for (const table of this.#facts.reader.tables(this.#name)) {
      markSensitive(this.#session, table);
      if (table.problem !== undefined && tables.some(({ id }) => id === table.id))
        this.#problems.push({ table: table.id, problem: table.problem });
    }
    this.#unchanged = tables.length - this.#problems.length;
    const joins = this.#facts.reader.joins().filter(({ from }) => tables.some(({ id }) => id === from.table));
    return this.#report(tables, joins, []);
  }

  #finish(
    planned: readonly PlannedTable[],
    stored: readonly PlannedTable[],
    found: FoundFacts,
    state: string,
  ): ScanReport {
    this.#progress.update("storing", 0, 1);
    const tables = stored.map(({ id, fingerprint, structure }) => {
      const key = found.keys.get(id);
      return { id, fingerprint, columns: structure.columns.length, ...(key && { key }) };
    });
    const drift = compareScans(this.#name, tables, found.joins, this.#facts.stored, this.#isInScope);
    const unfinished = this.#missing.length > 0;
    const complete = !unfinished && stored.every(({ fingerprint }) => fingerprint !== unreadableMark);
    const result = { connection: this.#connection(this.#startedAt), tables, joins: found.joins, drift, unfinished };
    this.#writer.finish({ ...result, state: complete ? state : "" }, found.asked);
    this.#progress.update("storing", 1, 1);
    return this.#report(planned, found.joins, drift);
  }

  #report(tables: readonly PlannedTable[], joins: FoundFacts["joins"], drift: readonly DriftEntry[]): ScanReport {
    return {
      connection: this.#name,
      tables: tables.length,
      columns: tables.reduce((sum, { structure }) => sum + structure.columns.length, 0),
      measured: this.#measured,
      unchanged: this.#unchanged,
      joins: joins.filter(({ status }) => status === "accepted").length,
      review: joins.filter(({ status }) => status === "review").length,
      queries: this.#session.queries,
      durationMs: this.#session.elapsedMs,
      problems: this.#problems,
      leftOut: this.#leftOut,
      unmatched: this.#unmatched,
      missing: this.#missing,
      drift,
    };
  }
}
