import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { onTestFinished } from "vitest";
import { openStore, type Store, type StoreOptions } from "../src/open-store.ts";

/** Creates a folder for an event log. It is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "bridle-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, ".bridle");
}

/** Opens an event log that is closed after the test. */
export function openHere(folder: string, options: Partial<StoreOptions> = {}): Store {
  const store = openStore({ ...options, folder });
  onTestFinished(() => store.close());
  return store;
}

/** Statements that remove the additions of each format, newest format first. */
const removals: readonly (readonly [format: number, sql: string])[] = [
  [8, "DROP TABLE limits"],
  [7, "DROP TABLE snapshots; DROP INDEX runs_by_stream"],
  [6, "DROP TABLE contents; DROP TABLE parts"],
  [5, "DROP TABLE sessions"],
  [4, "DROP TABLE owner"],
  [3, "DROP INDEX events_without_deltas"],
  [2, "DROP TABLE answers; DROP INDEX approval_events"],
];

/** Turns a closed event log into one of an earlier format. */
export function downgrade(folder: string, format: number): void {
  const database = new DatabaseSync(join(folder, "state.db"));
  for (const [added, sql] of removals) if (added > format) database.exec(sql);
  database.exec(`PRAGMA user_version = ${format}`);
  database.close();
}
