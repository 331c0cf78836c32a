import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** A SQLite file in a separate folder, and a connection that may write to it. */
export class SqliteDatabase {
  readonly folder: string;
  readonly file: string;
  readonly writer: DatabaseSync;

  constructor(name = "shop.db") {
    this.folder = mkdtempSync(join(tmpdir(), "bridle-sqlite-"));
    this.file = join(this.folder, name);
    this.writer = new DatabaseSync(this.file);
  }

  close(): void {
    this.writer.close();
    rmSync(this.folder, { recursive: true });
  }
}
