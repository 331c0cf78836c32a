import { existsSync } from "node:fs";
import { createRedactor, isCredentialName, type Redactor } from "@bridle/core";
import { ConfigError, StoreError } from "@bridle/protocol";
import type { Store } from "@bridle/store-sqlite";
import { bridleFolder } from "../namespace/folders.ts";
import type { Settings } from "../settings/settings.ts";
import { requireOwnerKey } from "../trust/owner-key.ts";

/** Shorter values from the file, such as a model's alias, may be part of any word. */
const shortestValue = 7;

/**
 * Redacts the values that the settings took from the environment, the secrets of the settings, and all credentials of the
 * environment. In a namespace it also redacts the credentials of this process, because its tools run in this process.
 */
export function settingsRedactor(settings: Pick<Settings, "values" | "environment" | "processEnvironment">): Redactor {
  const { values, environment, processEnvironment = {} } = settings;
  const secrets = values
    .filter(({ value }) => value.length >= shortestValue)
    .map(({ value, shown }) => ({ value, name: /^(?:\$\{(\w+)\}|\(([\w.-]+)\))$/.exec(shown)?.slice(1).join("") }));
  const ofProcess = Object.entries(processEnvironment).flatMap(([name, value]) =>
    value && isCredentialName(name) ? [{ value, name }] : [],
  );
  return createRedactor({ secrets: [...secrets, ...ofProcess], environment });
}

/** Opens the project's event log for runs, and creates it if there is none. Throws StoreError. */
export async function openForRuns(settings: Settings): Promise<Store> {
  const { openStore } = await import("@bridle/store-sqlite"); // loads SQLite, which runs without an event log on disk do not need
  const ownerKey = await findOwnerKey(settings);
  return openStore({ folder: bridleFolder(settings), ownerKey, redactor: settingsRedactor(settings) });
}

/** Without a writable home, as in some containers, a new event log gets no mark. */
async function findOwnerKey(settings: Settings): Promise<Uint8Array | undefined> {
  try {
    return await requireOwnerKey(settings);
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

/**
 * Opens a project's event log for reading. Runs that a dead process left open are ended first, if the log can be written.
 * If there is no event log, the result is empty and no file is created. Throws StoreError.
 */
export async function openEventLogForReading(settings: Settings): Promise<Store> {
  const { openStore } = await import("@bridle/store-sqlite");
  const folder = bridleFolder(settings);
  const readOnly = () => openStore({ folder, readOnly: true });
  if (!existsSync(folder)) return readOnly();
  try {
    return await openForRuns(settings);
  } catch (error) {
    if (error instanceof StoreError) return readOnly(); // a full disk, or damage elsewhere, must not prevent reading
    throw error;
  }
}
