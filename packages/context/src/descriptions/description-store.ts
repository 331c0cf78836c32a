import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { inTransaction, StateFile } from "@bridle/core";
import { z } from "zod";
import type { ContextFolder } from "../facts/context-folder.ts";
import { FactsError } from "../facts/facts-errors.ts";
import type { DescriptionReader } from "../knowledge/known.ts";

const textsSchema = z.array(z.tuple([z.string(), z.string()]));

const descriptionsState = new StateFile({
  formats: ["CREATE TABLE descriptions (id TEXT PRIMARY KEY, content TEXT NOT NULL, texts TEXT NOT NULL) STRICT"],
  isUnnumbered: true,
  subject: "The descriptions in",
  isPlural: true,
  again: "let the model write them again: bridle context scan --describe",
  error: FactsError,
});

/**
 * Stores a model's descriptions, each with a digest of the content that it describes. A lost file costs only the model calls to write them
 * again.
 */
export class DescriptionStore implements DescriptionReader {
  readonly #file: string;
  readonly #database: DatabaseSync;
  readonly #read = new Map<string, ReadonlyMap<string, string>>();
  #version = "";

  /** Every method throws FactsError if the file cannot be used. */
  constructor(file: string) {
    this.#file = file;
    this.#database = descriptionsState.open(file);
  }

  #explain<T>(work: () => T): T {
    return descriptionsState.explain(this.#file, work);
  }

  read(table: string): ReadonlyMap<string, string> | undefined {
    this.#explain(() => this.#follow());
    return this.#read.get(table);
  }

  version(): string {
    return this.#explain(() => this.#readVersion());
  }

  #readVersion(): string {
    const { data_version: other } = this.#database.prepare("PRAGMA data_version").get() ?? {};
    const { changes } = this.#database.prepare("SELECT total_changes() AS changes").get() ?? {};
    return `${other}.${changes}`;
  }

  /** Returns the digest of the content that a table's description was written for; undefined if the table has no description. */
  contentOf(table: string): string | undefined {
    const select = "SELECT content FROM descriptions WHERE id = ?";
    const row = this.#explain(() => this.#database.prepare(select).get(table));
    return row === undefined ? undefined : String(row.content);
  }

  write(
    described: readonly {
      readonly id: string;
      readonly content: string;
      readonly texts: ReadonlyMap<string, string>;
    }[],
  ): void {
    this.#explain(() => {
      const statement = this.#database.prepare("INSERT OR REPLACE INTO descriptions VALUES (?, ?, ?)");
      inTransaction(this.#database, () => {
        for (const { id, content, texts } of described) statement.run(id, content, JSON.stringify([...texts]));
      });
    });
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  #follow(): void {
    const version = this.version();
    if (version === this.#version) return;
    this.#read.clear();
    for (const { id, texts } of this.#database.prepare("SELECT id, texts FROM descriptions").all()) {
      const parsed = textsSchema.safeParse(JSON.parse(String(texts)));
      if (parsed.success) this.#read.set(String(id), new Map(parsed.data));
    }
    this.#version = version;
  }
}

export function descriptionsFile({ stateDir }: Pick<ContextFolder, "stateDir">): string {
  return join(stateDir, "context", "descriptions.sqlite");
}
