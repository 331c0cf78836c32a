import type { TableStructure, WarehouseStructure } from "@bridle/warehouse";
import type { MeasuredFacts } from "../facts/facts-schemas.ts";
import { formatTableId } from "../facts/identifiers.ts";
import type { FactsDatabase } from "../facts/open-facts.ts";
import type { CommittedTable } from "../facts/stored-scan.ts";
import { encodeMeasurement } from "../profiles/stored-profile.ts";
import { describeColumn, measureTable } from "./measure-table.ts";
import type { ScanOptions } from "./scan-options.ts";
import type { ProgressReporter } from "./scan-progress.ts";
import { endsScan, ScanBudgetError, type ScanSession } from "./scan-session.ts";

const defaultSampleRows = 100_000;

/** The fingerprints of tables that have no measurement: they are tried again by each scan. */
export const unreadableMark = "unreadable";
const notMeasuredMark = "not measured";

/** Begins the fingerprint of a table whose keys could not be counted: it is measured again by each scan. */
const uncountedMark = "uncounted";

/** A table that the scan found, with the fingerprint that its measurement has or will have. */
export interface PlannedTable {
  readonly structure: TableStructure;
  readonly id: string;
  readonly fingerprint: string;
  /** Whether the engine cannot say if the table changed. */
  readonly unknown: boolean;
}

/** Measures the tables of a scan, one after another, and stores each at once. */
export class TableScan {
  readonly problems: { readonly table: string; readonly problem: string }[] = [];
  readonly missing: string[] = [];
  measured = 0;
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

  /** Measures what changed. Returns all tables with the fingerprint under which their facts are stored. */
  async measureAll(
    tables: readonly PlannedTable[],
    committed: ReadonlyMap<string, CommittedTable>,
  ): Promise<readonly PlannedTable[]> {
    const known = this.#facts.stored.fingerprints(this.#name);
    const isKnown = (table: PlannedTable) => this.#isMeasured(table, known.get(table.id));
    const open = tables.filter((table) => !isKnown(table));
    const stored = new Map(tables.map((table) => [table.id, table]));
    let left = 0;
    this.#progress.update("tables", 0, open.length);
    for (const [at, table] of open.entries()) {
      const fingerprint = left > 0 ? notMeasuredMark : await this.#measure(table);
      if (fingerprint === notMeasuredMark) left++;
      else this.#progress.update("tables", at + 1, open.length);
      stored.set(table.id, { ...table, fingerprint: this.#orEarlier(table, fingerprint, committed) });
    }
    if (left > 0) this.missing.push(`${left} of ${tables.length} tables were not measured: ${this.#budgetEnd} `.trim());
    return [...stored.values()];
  }

  #isMeasured({ fingerprint, id, unknown }: PlannedTable, known: ReadonlySet<string> | undefined): boolean {
    if (this.#options.refresh !== true && !unknown) return known?.has(fingerprint) === true;
    if (known?.has(fingerprint) !== true) return false;
    const scannedAt = this.#facts.stored.measured(id, fingerprint)?.facts.scannedAt ?? "";
    return scannedAt === this.#startedAt; // this scan measured it before it was interrupted
  }

  /** Measures a table and stores the result. Returns the fingerprint under which it is stored. */
  async #measure(table: PlannedTable): Promise<string> {
    const { sampleRows = defaultSampleRows } = this.#options;
    const settings = { sampleRows, scannedAt: this.#startedAt };
    try {
      const { facts, measurement, uncounted } = await measureTable(table.structure, this.#session, settings);
      const { id } = table;
      const fingerprint = uncounted === undefined ? table.fingerprint : `${uncountedMark} ${table.fingerprint}`;
      if (uncounted !== undefined)
        this.missing.push(`The keys of ${id} could not be counted in all rows: ${uncounted}`);
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
      const problem = error instanceof Error ? error.message : String(error);
      this.problems.push({ table: table.id, problem });
      this.#storeStructure(table, problem, unreadableMark);
      return unreadableMark;
    }
  }

  /** A table that the budget left out keeps what an earlier scan found. */
  #orEarlier(table: PlannedTable, fingerprint: string, committed: ReadonlyMap<string, CommittedTable>): string {
    if (fingerprint !== notMeasuredMark) return fingerprint;
    const earlier = committed.get(table.id)?.fingerprint;
    if (earlier !== undefined && earlier !== unreadableMark) return earlier;
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

  /** Stores a table of which the catalogue shows only the name. */
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

/** From now on the warehouse masks the sensitive columns of a table. */
export function markSensitive(
  { warehouse }: ScanSession,
  table: Pick<MeasuredFacts, "schema" | "table" | "columns">,
): void {
  const { schema, columns } = table;
  const found = columns.filter(({ sensitive }) => sensitive !== undefined);
  if (found.length === 0) return;
  warehouse.addSensitive(found.map(({ name }) => ({ schema, table: table.table, column: name })));
}
