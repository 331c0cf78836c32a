import type { DatabaseSync } from "node:sqlite";
import type { JoinFacts, KeyFacts } from "./facts.ts";
import { factsState } from "./facts-file.ts";
import { connectionSchema, joinSchema, keySchema, type MeasuredFacts, measuredSchema } from "./facts-schemas.ts";

/** The measurements of a table while it had this fingerprint. `profile` is the input of the join search, as encoded by the scan. */
export interface StoredMeasurement {
  readonly id: string;
  readonly fingerprint: string;
  readonly facts: MeasuredFacts;
  readonly profile?: Uint8Array | undefined;
}

/** The stored results of a table's last finished scan. */
export interface CommittedTable {
  readonly fingerprint: string;
  readonly key?: KeyFacts | undefined;
}

/** The stored results of scans, as the next scan needs them, including the progress of a scan that was interrupted. */
export class StoredScan {
  readonly #file: string;
  readonly #database: DatabaseSync;

  constructor(file: string, database: DatabaseSync) {
    this.#file = file;
    this.#database = database;
  }

  /** Returns the tables of the last scan that finished, by identifier. */
  committed(connection: string): ReadonlyMap<string, CommittedTable> {
    const rows = this.#read(() =>
      this.#database.prepare("SELECT id, fingerprint, key FROM tables WHERE connection = ?").all(connection),
    );
    return new Map(
      rows.map(({ id, fingerprint, key }) => {
        const parsed = key === null ? undefined : this.#read(() => keySchema.parse(JSON.parse(String(key))));
        return [String(id), { fingerprint: String(fingerprint), key: parsed }];
      }),
    );
  }

  /** Returns the joins of the last scan that finished, including rejected ones. */
  joins(connection: string): readonly JoinFacts[] {
    return this.#read(() => {
      const rows = this.#database.prepare("SELECT facts FROM joins WHERE connection = ? ORDER BY id").all(connection);
      return rows.map(({ facts }) => joinSchema.parse(JSON.parse(String(facts))));
    });
  }

  /** Returns the state of the last scan that finished. */
  state(connection: string): string | undefined {
    const row = this.#read(() =>
      this.#database.prepare("SELECT state FROM connections WHERE name = ?").get(connection),
    );
    return row && String(row.state);
  }

  /** Returns the fingerprints of the tables that have been measured, by identifier. */
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

  /** Returns the measurements for the join search, without the displayed facts. */
  measurement<T>(id: string, fingerprint: string, decode: (bytes: Uint8Array) => T): T | undefined {
    return this.#read(() => {
      const sql = "SELECT profile FROM measured WHERE id = ? AND fingerprint = ?";
      const profile = this.#database.prepare(sql).get(id, fingerprint)?.profile;
      return profile instanceof Uint8Array ? decode(profile) : undefined;
    });
  }

  /** Whether a scan of the connection has finished. */
  isScanned(connection: string): boolean {
    return this.#read(() => {
      const row = this.#database.prepare("SELECT facts FROM connections WHERE name = ?").get(connection);
      return row !== undefined && connectionSchema.parse(JSON.parse(String(row.facts))).scannedAt !== undefined;
    });
  }

  /** Returns the stored answer to a question about tables with these fingerprints. */
  answer(connection: string, question: string, fingerprints: string): string | undefined {
    const row = this.#read(() =>
      this.#database
        .prepare("SELECT answer FROM checks WHERE connection = ? AND question = ? AND fingerprints = ?")
        .get(connection, question, fingerprints),
    );
    return row && String(row.answer);
  }

  #read<T>(work: () => T): T {
    return factsState.explain(this.#file, work);
  }
}
