import type { DatabaseSync } from "node:sqlite";
import { inTransaction, isRunning, readStartTime } from "@bridle/core";
import type { DriftEntry, JoinFacts, KeyFacts } from "./facts.ts";
import { ScanRunningError } from "./facts-errors.ts";
import { factsState } from "./facts-file.ts";
import type { StoredConnection } from "./facts-schemas.ts";
import type { StoredMeasurement } from "./stored-scan.ts";

/** The result of a scan. Its tables were stored with `measure`. */
export interface ScanResult {
  readonly connection: StoredConnection;
  /** A string that stays equal as long as a new scan would have the same result. Such a scan reads no table. */
  readonly state: string;
  readonly tables: readonly {
    readonly id: string;
    readonly fingerprint: string;
    readonly columns: number;
    readonly key?: KeyFacts | undefined;
  }[];
  readonly joins: readonly JoinFacts[];
  readonly drift: readonly DriftEntry[];
  /** Whether a part could not be measured and remains for the next scan. */
  readonly unfinished: boolean;
}

/** Writes facts. One process at a time scans a connection. */
export class FactsWriter {
  readonly #file: string;
  readonly #database: DatabaseSync;

  constructor(file: string, database: DatabaseSync) {
    this.#file = file;
    this.#database = database;
  }

  /**
   * Marks the start of a scan and returns its start time. If a scan of this connection was interrupted, continues that scan and returns its
   * start time.
   *
   * @throws ScanRunningError if another process is scanning the connection.
   */
  begin(connection: StoredConnection, now: string): string {
    const { name } = connection;
    return this.#write(() => {
      const row = this.#database
        .prepare("SELECT pid, start_time, started_at FROM scans WHERE connection = ?")
        .get(name);
      const pid = Number(row?.pid ?? 0);
      const start = row?.start_time == null ? null : String(row.start_time);
      if (row !== undefined && isRunning(pid, start)) {
        throw new ScanRunningError(`The process ${pid} is scanning ${name}. Wait until it has finished, or stop it.`);
      }
      const startedAt = row === undefined ? now : String(row.started_at);
      this.#database
        .prepare("INSERT OR REPLACE INTO scans VALUES (?, ?, ?, ?)")
        .run(name, startedAt, process.pid, readStartTime(process.pid) ?? null);
      this.#database
        .prepare("INSERT OR IGNORE INTO connections VALUES (?, ?, '')")
        .run(name, JSON.stringify(connection));
      return startedAt;
    });
  }

  /** Ends a scan that failed. The next scan continues it. */
  release(connection: string): void {
    this.#write(() => this.#endScan(connection, true));
  }

  /** Ends a scan that found no changes. */
  confirm(connection: StoredConnection): void {
    const { name } = connection;
    this.#write(() => {
      this.#database.prepare("UPDATE connections SET facts = ? WHERE name = ?").run(JSON.stringify(connection), name);
      this.#database.prepare("DELETE FROM scans WHERE connection = ?").run(name);
      const { changes } = this.#database.prepare("DELETE FROM drift WHERE connection = ?").run(name);
      if (Number(changes) > 0) this.#countVersion();
    });
  }

  measure(connection: string, measurements: readonly StoredMeasurement[]): void {
    this.#write(() => {
      for (const each of measurements) this.#measure(connection, each);
    });
  }

  saveAnswer(connection: string, question: string, fingerprints: string, answer: string): void {
    this.#write(() =>
      this.#database
        .prepare("INSERT OR REPLACE INTO checks VALUES (?, ?, ?, ?)")
        .run(connection, question, fingerprints, answer),
    );
  }

  /** Replaces the result of the previous scan in one transaction, and removes unneeded measurements and answers. */
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

  #replace({ connection, state, tables, joins, drift, unfinished }: ScanResult): void {
    const { name } = connection;
    const database = this.#database;
    for (const table of ["tables", "joins", "drift"]) {
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
    this.#endScan(name, unfinished);
    this.#countVersion();
  }

  /** Removes the mark of the scan. If the scan is unfinished, removes only the process from the mark. */
  #endScan(connection: string, unfinished: boolean): void {
    const sql = unfinished
      ? "UPDATE scans SET pid = 0, start_time = 'ended' WHERE connection = ?"
      : "DELETE FROM scans WHERE connection = ?";
    this.#database.prepare(sql).run(connection);
  }

  #countVersion(): void {
    this.#database.exec("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE name = 'version'");
  }

  #removeAnswers(connection: string, asked: ReadonlySet<string>): void {
    const remove = this.#database.prepare("DELETE FROM checks WHERE connection = ? AND question = ?");
    const rows = this.#database.prepare("SELECT question FROM checks WHERE connection = ?").all(connection);
    for (const { question } of rows) if (!asked.has(String(question))) remove.run(connection, String(question));
  }

  #write<T>(work: () => T): T {
    return factsState.explain(this.#file, () => inTransaction(this.#database, work));
  }
}
