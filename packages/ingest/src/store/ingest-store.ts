import { join } from "node:path";
import { z } from "zod";
import type { IngestRole } from "../models/ingest-models.ts";
import { type InstructionMark, instructionMark } from "../sources/instruction-mark.ts";
import { ClaimTable } from "./claim-table.ts";
import { ItemTable } from "./item-table.ts";
import { RawTexts } from "./raw-texts.ts";
import { RunTable } from "./run-lock.ts";
import { StoredSourceTable } from "./source-table.ts";
import { SqliteAnswers } from "./sqlite-answers.ts";
import { jsonColumn, StoreDatabase } from "./store-database.ts";

const versionRow = z.object({
  text_hash: z.string(),
  detector: z.number(),
  marks: jsonColumn(z.array(instructionMark)),
});

/** The instructions found in the text of a version when it was staged. */
export interface VersionFacts {
  readonly textHash: string;
  /** The edition of the detector that wrote the marks. */
  readonly detector: number;
  readonly marks: readonly InstructionMark[];
}

/**
 * The stored state of ingest for a project: items with their texts, parsers' candidates, models' answers, and runs. Another process may
 * read the store at the same time. Methods throw IngestStoreError if a file cannot be used. Close the store after use.
 */
export class IngestStore {
  readonly items: ItemTable;
  readonly sources: StoredSourceTable;
  readonly runs: RunTable;
  readonly texts: RawTexts;
  readonly claims: ClaimTable;
  readonly #database: StoreDatabase;

  /** Call `openIngestStore` instead. */
  constructor(file: string) {
    this.#database = new StoreDatabase(file);
    this.items = new ItemTable(this.#database);
    this.sources = new StoredSourceTable(this.#database);
    this.runs = new RunTable(this.#database);
    this.claims = new ClaimTable(this.#database);
    this.texts = new RawTexts(join(file, "..", "raw"));
  }

  /** Returns models' answers, with the spending of a run. */
  answers(run: number, modelOf: (role: IngestRole) => string): SqliteAnswers {
    return new SqliteAnswers(this.#database, { run, modelOf });
  }

  readVersion(version: string): VersionFacts | undefined {
    const found = this.#database.get(versionRow, "SELECT * FROM versions WHERE version = :version", { version });
    return found && { textHash: found.text_hash, detector: found.detector, marks: found.marks };
  }

  writeVersion(version: string, { textHash, detector, marks }: VersionFacts): void {
    const insert = "INSERT OR REPLACE INTO versions VALUES (:version, :textHash, :detector, :marks)";
    this.#database.run(insert, { version, textHash, detector, marks: JSON.stringify(marks) });
  }

  /** Returns the result of a check as one sentence; empty if the check passed, and undefined if it never ran. */
  readCheck(key: string): string | undefined {
    const row = z.object({ problem: z.string() });
    return this.#database.get(row, "SELECT problem FROM checks WHERE key = :key", { key })?.problem;
  }

  writeCheck(key: string, problem: string): void {
    this.#database.run("INSERT OR REPLACE INTO checks VALUES (:key, :problem)", { key, problem });
  }

  /** Runs work in a transaction. */
  together<T>(work: () => T): T {
    return this.#database.transaction(work);
  }

  /** Removes texts that belong to no item's version, and the instructions found in them. Returns the number of removed texts. */
  removeUnused(): number {
    this.#database.run("DELETE FROM versions WHERE version NOT IN (SELECT version FROM items)");
    return this.texts.keepOnly((version) => this.items.hasVersion(version));
  }

  /** Removes texts and answers about versions that no item has any longer, as if they had never been read. */
  forget(versions: readonly string[]): void {
    const unused = versions.filter((version) => !this.items.hasVersion(version));
    this.#database.transaction(() => {
      for (const version of unused) {
        const keys = "SELECT key FROM answer_versions WHERE version = :version";
        this.#database.run(`DELETE FROM answers WHERE key IN (${keys})`, { version });
        for (const table of ["answer_versions", "attempts"])
          this.#database.run(`DELETE FROM ${table} WHERE version = :version`, { version });
      }
    });
    this.removeUnused();
    this.#database.execute("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)"); // so that no page contains a forgotten text
  }

  /** Removes items with their texts and answers, as if they had never been read. */
  forgetItems(source: string, ids: readonly string[]): void {
    const versions = ids.flatMap((id) => this.items.read(source, id)?.item.version ?? []);
    this.#database.transaction(() => {
      for (const id of ids) this.#database.run("DELETE FROM items WHERE source = :source AND id = :id", { source, id });
      this.#database.run("DELETE FROM projected WHERE source = :source", { source });
    });
    this.forget(versions);
  }

  /** Returns the average price of a model in US dollars per token; undefined if unknown. */
  costPerToken(model: string): { readonly input: number; readonly output: number } | undefined {
    const row = z.object({ cost: z.number().nullable(), input: z.number().nullable(), output: z.number().nullable() });
    const select = `SELECT sum(cost_usd) AS cost, sum(input_tokens) AS input, sum(output_tokens) AS output
      FROM spending WHERE model = :model AND cost_usd > 0`;
    const { cost, input, output } = this.#database.get(row, select, { model }) ?? {};
    if (!cost) return undefined;
    const perInput = cost / ((input ?? 0) + usualOutputFactor * (output ?? 0));
    return { input: perInput, output: perInput * usualOutputFactor };
  }

  close(): void {
    this.#database.close();
  }
}

/** How many times as much as an input token an output token usually costs. */
const usualOutputFactor = 5;

/** Returns the ingest file in a project's state folder. */
export function ingestFile({ stateDir }: { readonly stateDir: string }): string {
  return join(stateDir, "context", "ingest.sqlite");
}

/**
 * Opens the ingest store of a project, and creates it if it does not exist. Only the file's owner may read it.
 *
 * @throws IngestStoreError if the file cannot be used, with a remedy.
 * @example
 * const store = openIngestStore({ stateDir: ".bridle" });
 * for (const { item } of store.items.list()) console.log(item.source, item.title);
 * store.close();
 */
export function openIngestStore(folder: { readonly stateDir: string }): IngestStore {
  return new IngestStore(ingestFile(folder));
}
