import type { DatabaseSync } from "node:sqlite";
import { inTransaction, openDatabase } from "./sqlite-files.ts";

/** The step from the previous format: SQL, or a function that may also change rows. A published format never changes. */
export type FileFormat = string | ((database: DatabaseSync) => void);

/** Why a file is refused: its format is newer, or its schema is not its format's schema. */
export type SchemaFault = "newer" | "foreign";

/** Returns the number of a file's format; 0 for a new file. */
export function formatVersion(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()?.user_version ?? 0);
}

/** The formats of one kind of file. The number of a file's format is its `user_version`. */
export class FileFormats {
  readonly #formats: readonly FileFormat[];
  readonly #isUnnumbered: boolean;
  readonly #schemas = new Map<number, string>();

  /** `isUnnumbered`: whether Bridle has written files of the first format without a number. */
  constructor(formats: readonly FileFormat[], { isUnnumbered = false } = {}) {
    this.#formats = formats;
    this.#isUnnumbered = isUnnumbered;
  }

  get newest(): number {
    return this.#formats.length;
  }

  /**
   * Checks that the format is not newer, and that there are no more, fewer or other tables, indexes, triggers or views than in the format.
   * A trigger in a file that came with a project could change what Bridle stores and reads. Writes nothing.
   */
  findFault(database: DatabaseSync): SchemaFault | undefined {
    let version: number;
    let schema: string;
    do {
      version = formatVersion(database);
      schema = readSchema(database);
    } while (formatVersion(database) !== version); // another process has migrated the file in the meantime
    if (version > this.newest) return "newer";
    const isOwn = schema === this.#schemaOf(version) || (version === 0 && this.#isOfFirst(schema));
    return isOwn ? undefined : "foreign";
  }

  /**
   * Migrates a file to the newest format, completely or not at all. Several processes may try at the same time. `onCreated` runs in the
   * same transaction if the file was new.
   */
  migrate(database: DatabaseSync, onCreated?: () => void): void {
    if (this.#formatOf(database) >= this.newest) return;
    inTransaction(database, () => {
      const format = this.#formatOf(database);
      if (format >= this.newest) return; // another process was faster
      for (const addition of this.#formats.slice(format)) apply(addition, database);
      if (format === 0) onCreated?.();
      database.exec(`PRAGMA user_version = ${this.newest}`);
    });
  }

  #formatOf(database: DatabaseSync): number {
    const version = formatVersion(database);
    return version === 0 && this.#isOfFirst(readSchema(database)) ? 1 : version;
  }

  #isOfFirst(schema: string): boolean {
    return this.#isUnnumbered && schema === this.#schemaOf(1);
  }

  #schemaOf(version: number): string {
    const known = this.#schemas.get(version);
    if (known !== undefined) return known;
    const empty = openDatabase(":memory:");
    try {
      for (const addition of this.#formats.slice(0, version)) apply(addition, empty);
      const schema = readSchema(empty);
      this.#schemas.set(version, schema);
      return schema;
    } finally {
      empty.close();
    }
  }
}

function apply(addition: FileFormat, database: DatabaseSync): void {
  if (typeof addition === "string") database.exec(addition);
  else addition(database);
}

/** Returns the tables, indexes, triggers and views with their statements, one per line. Equal schemas have equal strings. */
function readSchema(database: DatabaseSync): string {
  const rows = database.prepare("SELECT type, name, tbl_name AS owner, sql FROM sqlite_master").all();
  return rows
    .map(({ type, name, owner, sql }) => JSON.stringify([type, name, owner, sql]))
    .sort()
    .join("\n");
}
