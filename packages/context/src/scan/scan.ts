import { sha256 } from "@bridle/core";
import { NetworkError, StoppedError } from "@bridle/protocol";
import type { TableStructure, Warehouse, WarehouseStructure } from "@bridle/warehouse";
import type { DriftEntry } from "../facts/facts.ts";
import { FactsError } from "../facts/facts-errors.ts";
import type { MeasuredFacts, StoredConnection } from "../facts/facts-schemas.ts";
import type { CommittedTable, FactsWriter } from "../facts/facts-writer.ts";
import { formatTableId } from "../facts/identifiers.ts";
import type { FactsDatabase } from "../facts/open-facts.ts";
import { encodeMeasurement } from "../profiles/stored-profile.ts";
import { compareScans } from "./compare-scans.ts";
import { type FoundFacts, findTableJoins } from "./find-table-joins.ts";
import { fingerprintOf } from "./fingerprints.ts";
import { describeColumn, measureTable } from "./measure-table.ts";
import type { ScanOptions, ScanReport } from "./scan-options.ts";
import { ProgressReporter } from "./scan-progress.ts";
import { ScanBudgetError, ScanSession } from "./scan-session.ts";

const defaultSampleRows = 100_000;

/** The fingerprints of tables that have no measurement: they are tried again by each scan. */
const unreadable = "unreadable";
const notMeasured = "not measured";

/**
 * Measures a warehouse: structure, profiles, keys and joins. It reads only tables that changed since the last scan, and
 * continues a scan that was interrupted. The facts are replaced at once, when it ends. It changes nothing in the warehouse.
 *
 * @throws ScanRunningError if another process scans the same connection; StoppedError if `signal` was aborted;
 * NetworkError if the connection was lost and could not be opened again; FactsError if the facts cannot be stored.
 * After each of these but the first, the next scan continues.
 * @example
 * const report = await scan(warehouse, facts, { budget: { queries: 5_000 } });
 * console.log(`${report.joins} joins in ${report.tables} tables`, report.problems, report.missing);
 */
export async function scan(warehouse: Warehouse, facts: FactsDatabase, options: ScanOptions = {}): Promise<ScanReport> {
  const running = new WarehouseScan(warehouse, facts, options);
  return await running.run();
}

/** A table that the scan found, with the fingerprint that its measurement has or will have. */
interface PlannedTable {
  readonly structure: TableStructure;
  readonly id: string;
  readonly fingerprint: string;
  /** Whether the engine cannot say if the table changed. */
  readonly unknown: boolean;
}

class WarehouseScan {
  readonly #session: ScanSession;
  readonly #facts: FactsDatabase;
  readonly #writer: FactsWriter;
  readonly #options: ScanOptions;
  readonly #progress: ProgressReporter;
  readonly #problems: { table: string; problem: string }[] = [];
  readonly #missing: string[] = [];
  readonly #name: string;
  #startedAt = "";
  #measured = 0;

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
    this.#session.check();
    const structure = await this.#session.warehouse.readStructure({ signal: this.#session.signal });
    const tables = await this.#plan(structure);
    this.#progress.update("structure", 1, 1);
    for (const { problem, ...table } of structure.problems) this.#addProblem(this.#idOf(table), problem);
    const state = this.#stateOf(tables, structure);
    const committed = this.#writer.committed(this.#name);
    if (this.#isUnchanged(state, tables)) return this.#confirm(tables);
    const stored = await this.#measureAll(tables, committed);
    const unreadableTables = structure.problems.map((problem) => this.#storeUnlisted(problem));
    const found = await findTableJoins(stored, this.#session, this.#writer, this.#options, this.#progress);
    this.#missing.push(...found.missing);
    return this.#finish(tables, [...stored, ...unreadableTables], found, state);
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

  #idOf({ schema, table }: { readonly schema: string; readonly table: string }): string {
    return formatTableId({ connection: this.#name, schema, table });
  }

  async #plan({ tables }: WarehouseStructure): Promise<readonly PlannedTable[]> {
    const { warehouse } = this.#session;
    const marks = await warehouse.engine.readChangeMarks(tables, this.#session.signal);
    const planned = tables.map((structure, at) => ({
      structure,
      id: this.#idOf(structure),
      fingerprint: fingerprintOf(structure, marks[at], warehouse, this.#options),
      unknown: marks[at] === undefined,
    }));
    return planned.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** A text for everything that the result depends on, apart from the rows of tables that the engine says nothing about. */
  #stateOf(tables: readonly PlannedTable[], { problems }: WarehouseStructure): string {
    const { decisions = [], proposals = [] } = this.#options;
    const own = tables.map(({ id, fingerprint }) => [id, fingerprint]);
    return sha256(JSON.stringify([own, problems, decisions, proposals]));
  }

  #isUnchanged(state: string, tables: readonly PlannedTable[]): boolean {
    if (this.#options.refresh === true || tables.some(({ unknown }) => unknown)) return false;
    return this.#writer.state(this.#name) === state;
  }

  #confirm(tables: readonly PlannedTable[]): ScanReport {
    this.#writer.confirm(this.#connection(this.#startedAt));
    for (const table of this.#facts.reader.tables(this.#name)) this.#markSensitive(table);
    const joins = this.#facts.reader.joins().filter(({ from }) => tables.some(({ id }) => id === from.table));
    return this.#report(tables, joins, []);
  }

  /** Measures what changed. Returns all tables with the fingerprint under which their facts are stored. */
  async #measureAll(
    tables: readonly PlannedTable[],
    committed: ReadonlyMap<string, CommittedTable>,
  ): Promise<readonly PlannedTable[]> {
    const known = this.#writer.fingerprints(this.#name);
    const isKnown = (table: PlannedTable) => this.#isMeasured(table, known.get(table.id));
    const open = tables.filter((table) => !isKnown(table));
    const stored = new Map(tables.map((table) => [table.id, table]));
    let left = 0;
    this.#progress.update("tables", 0, open.length);
    for (const [at, table] of open.entries()) {
      const fingerprint = left > 0 ? notMeasured : await this.#measure(table);
      if (fingerprint === notMeasured) left++;
      else this.#progress.update("tables", at + 1, open.length);
      stored.set(table.id, { ...table, fingerprint: this.#orEarlier(table, fingerprint, committed) });
    }
    if (left > 0)
      this.#missing.push(`${left} of ${tables.length} tables were not measured: ${this.#budgetEnd} `.trim());
    return [...stored.values()];
  }

  #budgetEnd = "";

  #isMeasured({ fingerprint, id, unknown }: PlannedTable, known: ReadonlySet<string> | undefined): boolean {
    if (this.#options.refresh !== true && !unknown) return known?.has(fingerprint) === true;
    if (known?.has(fingerprint) !== true) return false;
    const scannedAt = this.#writer.measured(id, fingerprint)?.facts.scannedAt ?? "";
    return scannedAt === this.#startedAt; // this scan measured it before it was interrupted
  }

  /** Measures a table and stores the result. Returns the fingerprint under which it is stored. */
  async #measure(table: PlannedTable): Promise<string> {
    const { sampleRows = defaultSampleRows } = this.#options;
    const settings = { sampleRows, scannedAt: this.#startedAt };
    try {
      const { facts, measurement } = await measureTable(table.structure, this.#session, settings);
      const { id, fingerprint } = table;
      this.#writer.measure(this.#name, [{ id, fingerprint, facts, profile: encodeMeasurement(measurement) }]);
      this.#measured++;
      this.#markSensitive(facts);
      return fingerprint;
    } catch (error) {
      if (error instanceof ScanBudgetError) {
        this.#budgetEnd = error.message;
        return notMeasured;
      }
      if (error instanceof StoppedError || error instanceof NetworkError || error instanceof FactsError) throw error;
      const problem = error instanceof Error ? error.message : String(error);
      this.#addProblem(table.id, problem);
      this.#storeStructure(table, problem, unreadable);
      return unreadable;
    }
  }

  /** A table that the budget left out keeps what an earlier scan found. */
  #orEarlier(table: PlannedTable, fingerprint: string, committed: ReadonlyMap<string, CommittedTable>): string {
    if (fingerprint !== notMeasured) return fingerprint;
    const earlier = committed.get(table.id)?.fingerprint;
    if (earlier !== undefined && earlier !== unreadable) return earlier;
    this.#storeStructure(table, `The table is not measured yet. ${this.#budgetEnd}`, notMeasured);
    return notMeasured;
  }

  #storeStructure({ id, structure }: PlannedTable, problem: string, fingerprint: string): void {
    const { schema, table, kind, columns, comment, estimatedRows } = structure;
    const facts: MeasuredFacts = {
      id,
      connection: this.#name,
      schema,
      table,
      kind,
      columns: columns.map(describeColumn),
      ...(comment === undefined ? {} : { comment }),
      ...(estimatedRows === undefined ? {} : { rows: estimatedRows }),
      rowsAreExact: false,
      problem,
      scannedAt: this.#startedAt,
    };
    this.#writer.measure(this.#name, [{ id, fingerprint, facts }]);
  }

  /** Stores a table of which the catalogue shows only the name. */
  #storeUnlisted({ problem, schema, table }: WarehouseStructure["problems"][number]): PlannedTable {
    const empty = { primaryKey: [], uniqueKeys: [], foreignKeys: [], columns: [] };
    const structure: TableStructure = { schema, table, kind: "table", ...empty };
    const planned = { structure, id: this.#idOf({ schema, table }), fingerprint: unreadable, unknown: false };
    this.#storeStructure(planned, problem, unreadable);
    return planned;
  }

  #markSensitive({ schema, table, columns }: Pick<MeasuredFacts, "schema" | "table" | "columns">): void {
    const found = columns.filter(({ sensitive }) => sensitive !== undefined);
    if (found.length === 0) return;
    this.#session.warehouse.addSensitive(found.map(({ name }) => ({ schema, table, column: name })));
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
    const drift = compareScans(this.#name, tables, found.joins, this.#writer);
    const unfinished = this.#missing.length > 0;
    const complete = !unfinished && stored.every(({ fingerprint }) => fingerprint !== unreadable);
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
      joins: joins.filter(({ status }) => status === "accepted").length,
      review: joins.filter(({ status }) => status === "review").length,
      queries: this.#session.queries,
      durationMs: this.#session.elapsedMs,
      problems: this.#problems,
      missing: this.#missing,
      drift,
    };
  }

  #addProblem(table: string, problem: string): void {
    this.#problems.push({ table, problem });
  }
}
