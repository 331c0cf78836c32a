import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { ContextFolder } from "./context-folder.ts";
import type { FactsReader } from "./facts.ts";
import { factsState } from "./facts-file.ts";
import { SqliteFactsReader } from "./facts-reader.ts";
import { FactsWriter } from "./facts-writer.ts";
import { StoredScan } from "./stored-scan.ts";

/** An open facts database. Reader and writer have separate connections, so that no reader waits for a writer. */
export class FactsDatabase {
  readonly file: string;
  readonly reader: FactsReader;
  /** The results that scans stored for the next scan. */
  readonly stored: StoredScan;
  readonly #reading: DatabaseSync;
  #writing: DatabaseSync | undefined;
  #writer: FactsWriter | undefined;

  constructor(file: string) {
    this.file = file;
    this.#reading = factsState.open(file);
    this.#reading.exec("PRAGMA query_only = ON");
    this.reader = new SqliteFactsReader(file, this.#reading);
    this.stored = new StoredScan(file, this.#reading);
  }

  get writer(): FactsWriter {
    this.#writing ??= factsState.open(this.file);
    this.#writer ??= new FactsWriter(this.file, this.#writing);
    return this.#writer;
  }

  close(): void {
    if (this.#writing?.isOpen) this.#writing.close();
    if (this.#reading.isOpen) this.#reading.close();
  }
}

/**
 * Opens a facts database, and creates it if it does not exist. Only its owner may read the file. Close it after use.
 *
 * @throws FactsError if the file cannot be used, with a remedy.
 * @example
 * const facts = openFacts({ file: ".bridle/context/facts.sqlite" });
 * for (const table of facts.reader.tables()) console.log(table.id, table.rows);
 * facts.close();
 */
export function openFacts({ file }: { readonly file: string }): FactsDatabase {
  return new FactsDatabase(file);
}

/** Returns the file of the measured facts. */
export function factsFile({ stateDir }: Pick<ContextFolder, "stateDir">): string {
  return join(stateDir, "context", "facts.sqlite");
}
