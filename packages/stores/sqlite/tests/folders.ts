import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openStore, type Store, type StoreOptions } from "../src/open-store.ts";

/** A folder for an event log. It is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "bridle-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, ".bridle");
}

/** An event log that is closed after the test. */
export function openHere(folder: string, options: Partial<StoreOptions> = {}): Store {
  const store = openStore({ ...options, folder });
  onTestFinished(() => store.close());
  return store;
}
