import type { DatabaseSync } from "node:sqlite";
import { inTransaction, isRunning, readStartTime } from "@bridle/core";
import type { DriftEntry, JoinFacts, KeyFacts, TableFacts } from "./facts.ts";
import { explainFactsErrors, ScanRunningError } from "./facts-errors.ts";
import type { MeasuredFacts, StoredConnection } from "./facts-schemas.ts";
import { measuredSchema } from "./facts-schemas.ts";

/** Everything that is known about a connection, as it replaces what was known before. */
export interface FactsSnapshot {
  readonly connection: StoredConnection;
  readonly tables: readonly TableFacts[];
  readonly joins: readonly JoinFacts[];
  readonly drift?: readonly DriftEntry[] | undefined;
}

/** What was read from a table while it had the fingerprint. `profile` is for the search for joins, as the scan encodes it. */
export interface StoredMeasurement {
  readonly id: string;
  readonly fingerprint: string;
  readonly facts: MeasuredFacts;
  readonly profile?: Uint8Array | undefined;
}

/** The result of a scan. Its tables were stored with `measure`. */
export interface ScanResult {
  readonly connection: StoredConnection;
  /** A text that is equal if a scan would find the same without looking at any table. */
  readonly state: string;
  readonly tables: readonly {
    readonly id: string;
    readonly fingerprint: string;
    readonly columns: number;
    readonly key?: KeyFacts | undefined;
  }[];
  readonly joins: readonly JoinFacts[];
  readonly drift: readonly DriftEntry[];
}

/** Writes facts. One process at a time scans a connection. */
export class FactsWriter {
  readonly #file: string;
  readonly #database: DatabaseSync;

  constructor(file: string, database: DatabaseSync) {
    this.#file = file;
    this.#database = database;
  }

  /** Replaces everything about a connection, for facts that were not measured by a scan. */
  replace({ connection, tables, joins, drift = [] }: FactsSnapshot): void {
    this.#write(() => {
      for (const { key: _, ...facts } of tables)
        this.#measure(connection.name, { id: facts.id, fingerprint: "", facts });
      const stored = tables.map(({ id, columns, key }) => ({ id, fingerprint: "", columns: columns.length, key }));
      this.#replace({ connection, state: "", tables: stored, joins, drift });
    });
  }

  /**
   * Marks the start of a scan. If a scan of this connection was interrupted, it continues.
   *
   * @throws ScanRunningError if another process scans the connection.
   */
  begin(connection: StoredConnection, startedAt: string): void {
    const { name } = connection;
    this.#write(() => {
      const row = this.#database.prepare("SELECT pid, start_time FROM scans WHERE connection = ?").get(name);
      const pid = Number(row?.pid ?? 0);
      const start = row?.start_time == null ? null : String(row.start_time);
      if (row !== undefined && isRunning(pid, start)) {
        throw new ScanRunningError(`The process ${pid} is scanning ${name}. Wait until it has finished, or stop it.`);
      }
      this.#database
        .prepare("INSERT OR REPLACE INTO scans VALUES (?, ?, ?, ?)")
        .run(name, startedAt, process.pid, readStartTime(process.pid) ?? null);
      this.#database
        .prepare("INSERT OR IGNORE INTO connections VALUES (?, ?, '')")
        .run(name, JSON.stringify(connection));
    });
  }

  /** Ends a scan without a result. `keep` leaves the mark of an interrupted scan, without the process. */
  release(connection: string, keep: boolean): void {
    const sql = keep
      ? "UPDATE scans SET pid = 0, start_time = 'released' WHERE connection = ?"
      : "DELETE FROM scans WHERE connection = ?";
    this.#write(() => this.#database.prepare(sql).run(connection));
  }

  /** The state of the last scan that finished. */
  state(connection: string): string | undefined {
    const row = this.#read(() =>
      this.#database.prepare("SELECT state FROM connections WHERE name = ?").get(connection),
    );
    return row && String(row.state);
  }

  /** The fingerprints of the tables that have been measured, by identifier. */
  fingerprints(connection: string): ReadonlyMap<string, ReadonlySet<string>> {
    const rows = this.#read(() =>
      this.#database.prepare("SELECT id, fingerprint FROM measured WHERE connection = ?").all(connection),
    );
    const found = new Map<string, Set<string>>();
    for (const { id, fingerprint } of rows) {
      const known = found.get(String(id)) ?? new Set();
      found.set(String(id), known.add(String(fingerprint)));
    }
    return found;
  }

  measure(connection: string, measurements: readonly StoredMeasurement[]): void {
    this.#write(() => {
      for (const each of measurements) this.#measure(connection, each);
    });
  }

  measured(id: string, fingerprint: string): StoredMeasurement | undefined {
    return this.#read(() => {
      const row = this.#database
        .prepare("SELECT facts, profile FROM measured WHERE id = ? AND fingerprint = ?")
        .get(id, fingerprint);
      if (row === undefined) return undefined;
      const profile = row.profile instanceof Uint8Array ? row.profile : undefined;
      return { id, fingerprint, facts: measuredSchema.parse(JSON.parse(String(row.facts))), profile };
    });
  }

  /** The stored answer to a question about tables with these fingerprints. */
  answer(connection: string, question: string, fingerprints: string): string | undefined {
    const row = this.#read(() =>
      this.#database
        .prepare("SELECT answer FROM checks WHERE connection = ? AND question = ? AND fingerprints = ?")
        .get(connection, question, fingerprints),
    );
    return row && String(row.answer);
  }

  saveAnswer(connection: string, question: string, fingerprints: string, answer: string): void {
    this.#write(() =>
      this.#database
        .prepare("INSERT OR REPLACE INTO checks VALUES (?, ?, ?, ?)")
        .run(connection, question, fingerprints, answer),
    );
  }

  /** Replaces the result of the scan before, at once for all readers, and removes what it does not need. */
  finish(result: ScanResult, asked: ReadonlySet<string>): void {
    this.#write(() => {
      this.#replace(result);
      this.#removeAnswers(result.connection.name, asked);
    });
  }

  #measure(connection: string, { id, fingerprint, facts, profile }: StoredMeasurement): void {
    this.#database
      .prepare("INSERT OR REPLACE INTO measured VALUES (?, ?, ?, ?, ?)")
      .run(connection, id, fingerprint, JSON.stringify(facts), profile ?? null);
  }

  #replace({ connection, state, tables, joins, drift }: ScanResult): void {
    const { name } = connection;
    const database = this.#database;
    for (const table of ["tables", "joins", "drift", "scans"]) {
      database.prepare(`DELETE FROM ${table} WHERE connection = ?`).run(name);
    }
    database
      .prepare("INSERT OR REPLACE INTO connections VALUES (?, ?, ?)")
      .run(name, JSON.stringify(connection), state);
    const addTable = database.prepare("INSERT INTO tables VALUES (?, ?, ?, ?, ?)");
    for (const { id, fingerprint, columns, key } of tables) {
      addTable.run(id, name, fingerprint, columns, key === undefined ? null : JSON.stringify(key));
    }
    const addJoin = database.prepare("INSERT INTO joins VALUES (?, ?, ?, ?, ?, ?)");
    for (const join of joins) {
      const rejected = join.status === "rejected" ? 1 : 0;
      addJoin.run(name, join.id, join.from.table, join.to.table, rejected, JSON.stringify(join));
    }
    const addDrift = database.prepare("INSERT INTO drift VALUES (?, ?, ?)");
    for (const [place, entry] of drift.entries()) addDrift.run(name, place, JSON.stringify(entry));
    database
      .prepare(
        `DELETE FROM measured WHERE connection = ?1
          AND NOT EXISTS (SELECT 1 FROM tables t WHERE t.id = measured.id AND t.fingerprint = measured.fingerprint)`,
      )
      .run(name);
    database.exec("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE name = 'version'");
  }

  #removeAnswers(connection: string, asked: ReadonlySet<string>): void {
    const remove = this.#database.prepare("DELETE FROM checks WHERE connection = ? AND question = ?");
    const rows = this.#database.prepare("SELECT question FROM checks WHERE connection = ?").all(connection);
    for (const { question } of rows) if (!asked.has(String(question))) remove.run(connection, String(question));
  }

  #write<T>(work: () => T): T {
    return explainFactsErrors(this.#file, () => inTransaction(this.#database, work));
  }

  #read<T>(work: () => T): T {
    return explainFactsErrors(this.#file, work);
  }
}
