import { rmSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { type BridleError, ConfigError, getErrorMessage, isBridleError } from "@bridle/protocol";
import { type FileFormat, FileFormats, type SchemaFault } from "./file-formats.ts";
import {
  createPrivateDatabase,
  databaseFiles,
  isSqliteDamage,
  openDistrusted,
  sqliteBusyMs,
  useWriteAheadLog,
} from "./sqlite-files.ts";
import { findStorageProblem } from "./storage-problem.ts";

/** What a kind of file contains, and how its errors describe it. */
export interface StateFileDefinition {
  readonly formats: readonly FileFormat[];
  /** Whether files of the first format may have no format number. */
  readonly isUnnumbered?: boolean;
  /**
   * How SQLite keeps changes that are not in the file yet. With `wal`, processes can read while one writes. With `rollback`, nothing
   * remains of removed rows after a VACUUM. Default: `wal`.
   */
  readonly journal?: "wal" | "rollback";
  /** Whether a damaged file, or a file with a foreign schema, is refused or replaced with an empty file. Default: `refuse`. */
  readonly ifUnusable?: "refuse" | "replace";
  /** Prepares each connection, for example with pragmas. */
  readonly prepare?: (database: DatabaseSync) => void;
  /** The beginning of a sentence about the file, such as `The index`. Its path follows. */
  readonly subject: string;
  /** Whether the subject is a plural, such as `The facts in`. */
  readonly isPlural?: boolean;
  /** The end of a remedy that begins with "Remove the file, and": how the user restores the content. */
  readonly again: string;
  /** The remedy for a damaged file. Default: "Remove the file, and" with `again`. */
  readonly remedy?: string;
  /** The class of the errors about the file. Default: ConfigError. */
  readonly error?: new (
    message: string,
    options: { readonly cause: unknown },
  ) => BridleError;
}

/**
 * A kind of SQLite file that Bridle keeps for itself. Each file is private to the user, is not reached through a link, and has exactly the
 * schema of its format.
 */
export class StateFile {
  readonly #definition: StateFileDefinition;
  readonly #formats: FileFormats;

  constructor(definition: StateFileDefinition) {
    this.#definition = definition;
    this.#formats = new FileFormats(definition.formats, definition);
  }

  /**
   * Opens a file, creates it if it does not exist, and migrates it to the newest format. A file that is refused is not changed. Without a
   * path, the database is in memory.
   *
   * @throws the definition's `error`, with a remedy; StoreError for a link.
   */
  open(file?: string): DatabaseSync {
    if (file === undefined) return openDistrusted(":memory:", (database) => this.#formats.migrate(database));
    return this.explain(file, () => {
      try {
        return this.#open(file);
      } catch (error) {
        const isUnusable = isSqliteDamage(error) || (error instanceof SchemaError && error.fault === "foreign");
        if (!isUnusable || this.#definition.ifUnusable !== "replace") throw error;
        for (const path of databaseFiles(file)) rmSync(path, { force: true });
        return this.#open(file);
      }
    });
  }

  /** Runs `work` on a file or folder, and turns its errors that are not Bridle's into errors with the subject and a remedy. */
  explain<T>(path: string, work: () => T): T {
    try {
      return work();
    } catch (cause) {
      if (isBridleError(cause)) throw cause;
      const { error: KindError = ConfigError } = this.#definition;
      throw new KindError(this.#messageOf(path, cause), { cause });
    }
  }

  #open(file: string): DatabaseSync {
    createPrivateDatabase(file);
    return openDistrusted(file, (database) => {
      const fault = this.#formats.findFault(database);
      if (fault !== undefined) throw new SchemaError(fault);
      if (this.#definition.journal !== "rollback") useWriteAheadLog(database);
      this.#formats.migrate(database);
      this.#definition.prepare?.(database);
    });
  }

  #messageOf(path: string, cause: unknown): string {
    const { subject, isPlural = false, again, remedy = `Remove the file, and ${again}.` } = this.#definition;
    if (cause instanceof SchemaError && cause.fault === "newer") {
      return `A newer Bridle wrote ${path}. Update Bridle, or remove the file and ${again}.`;
    }
    if (cause instanceof SchemaError) {
      return `${path} has tables or triggers that are not Bridle's, so it is not used. It may be from somebody else. Move it away, and ${again}.`;
    }
    switch (findStorageProblem(cause, dirname(path))) {
      case "damaged":
        return `${subject} ${path} ${isPlural ? "are" : "is"} damaged. ${remedy}`;
      case "busy":
        return `${subject} ${path} cannot be written: another process has been writing for ${sqliteBusyMs / 1000} s. Try again.`;
      case "full":
        return `No disk space is left for ${path}. Free some, and ${again}. Stored results were kept.`;
      case "readOnly":
        return `${subject} ${path} cannot be written: ${getErrorMessage(cause)}. Give this user write access to the file and its folder.`;
      default:
        return `${subject} ${path} cannot be used: ${getErrorMessage(cause)}. Check that it is writable and that the disk is not full, or remove it and ${again}.`;
    }
  }
}

/** A file was refused because of its schema. */
class SchemaError extends Error {
  readonly fault: SchemaFault;

  constructor(fault: SchemaFault) {
    super(`The schema is ${fault}.`);
    this.fault = fault;
  }
}
