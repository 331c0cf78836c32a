import { z } from "zod";
import { type Candidate, candidateSchema } from "../sources/candidate.ts";
import type { ProjectionFinding } from "../sources/source.ts";
import { jsonColumn, nullableText, type StoreDatabase } from "./store-database.ts";

const findingSchema = z.object({
  kind: z.enum(["refused", "changed"]),
  subject: z.string(),
  reason: z.string(),
  item: z.string(),
  line: z.number().optional(),
}) satisfies z.ZodType<ProjectionFinding>;

const sourceRow = z.object({
  name: z.string(),
  type: z.string(),
  cursor: nullableText,
  completed_at: nullableText,
  findings: jsonColumn(z.array(findingSchema)),
});

/** A source that was fetched before. */
export interface StoredSource {
  readonly name: string;
  readonly type: string;
  /** The cursor of the last complete fetch. */
  readonly cursor?: string | undefined;
  /** The time of the last complete fetch, in ISO 8601. */
  readonly completedAt?: string | undefined;
  /** The entries that the source's parser could not read. */
  readonly findings: readonly ProjectionFinding[];
}

/** The sources, and the output of their parsers. */
export class StoredSourceTable {
  readonly #database: StoreDatabase;

  constructor(database: StoreDatabase) {
    this.#database = database;
  }

  list(): readonly StoredSource[] {
    return this.#database.all(sourceRow, "SELECT * FROM sources ORDER BY name").map(toStoredSource);
  }

  read(name: string): StoredSource | undefined {
    const found = this.#database.get(sourceRow, "SELECT * FROM sources WHERE name = :name", { name });
    return found && toStoredSource(found);
  }

  /** Adds a source unless it exists. If its type changed, the candidates of the previous parser are removed. */
  add(name: string, type: string): void {
    const known = this.read(name);
    if (known !== undefined && known.type !== type) this.project(name, [], []);
    const insert =
      "INSERT INTO sources (name, type) VALUES (:name, :type) ON CONFLICT (name) DO UPDATE SET type = :type";
    this.#database.run(insert, { name, type });
  }

  /** Stores a complete fetch. Without a cursor, the next fetch reads everything. */
  complete(name: string, cursor: string | undefined, at: Date): void {
    const update = "UPDATE sources SET cursor = :cursor, completed_at = :at WHERE name = :name";
    this.#database.run(update, { name, cursor: cursor ?? null, at: at.toISOString() });
  }

  /** Makes the next fetch read everything. */
  forgetCursor(name: string): void {
    this.#database.run("UPDATE sources SET cursor = NULL WHERE name = :name", { name });
  }

  /** Removes a source with its items and the output of its parser. */
  remove(name: string): void {
    this.#database.transaction(() => {
      for (const table of ["items", "projected"])
        this.#database.run(`DELETE FROM ${table} WHERE source = :name`, { name });
      this.#database.run("DELETE FROM sources WHERE name = :name", { name });
    });
  }

  /** Stores the candidates and findings of a source's parser. Replaces the previous ones. */
  project(name: string, candidates: readonly Candidate[], findings: readonly ProjectionFinding[]): void {
    this.#database.transaction(() => {
      this.#database.run("DELETE FROM projected WHERE source = :name", { name });
      const insert = "INSERT INTO projected (source, place, candidate) VALUES (:name, :place, :candidate)";
      for (const [place, candidate] of candidates.entries())
        this.#database.run(insert, { name, place, candidate: JSON.stringify(candidate) });
      const update = "UPDATE sources SET findings = :findings WHERE name = :name";
      this.#database.run(update, { name, findings: JSON.stringify(findings) });
    });
  }

  /** Returns the stored candidates of a source's parser. */
  projected(name: string): readonly Candidate[] {
    const row = z.object({ candidate: jsonColumn(candidateSchema) });
    const select = "SELECT candidate FROM projected WHERE source = :name ORDER BY place";
    return this.#database.all(row, select, { name }).map(({ candidate }) => candidate);
  }
}

function toStoredSource({ completed_at: completedAt, ...source }: z.output<typeof sourceRow>): StoredSource {
  return { ...source, completedAt };
}
