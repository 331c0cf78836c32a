import { existsSync } from "node:fs";
import { join } from "node:path";
import { createRedactor, type Redactor, StoreError } from "@bridle/core";
import type { Store } from "@bridle/store";
import { resolveSettings, type Settings, type SettingsOptions } from "./settings.ts";

/** Where a project keeps its record: `state.db` and the folder `artifacts`. */
export function recordFolder({ projectDir }: Pick<Settings, "projectDir">): string {
  return join(projectDir, ".bridle");
}

/** Shorter ones from the file may be a part of any word, such as a model's alias. */
const shortestValue = 7;

/** Takes out what the settings took from the environment or hold as secrets, and all credentials of the environment. */
export function settingsRedactor({ values, environment }: Pick<Settings, "values" | "environment">): Redactor {
  const secrets = values.map(({ value }) => value).filter((value) => value.length >= shortestValue);
  return createRedactor({ secrets, environment });
}

/** Opens the project's record for runs, and makes it where there is none. Throws StoreError. */
export async function openForRuns(settings: Settings): Promise<Store> {
  const { openStore } = await import("@bridle/store"); // with SQLite, which runs without a record on disk do not need
  return openStore({ folder: recordFolder(settings), redactor: settingsRedactor(settings) });
}

/**
 * Opens the record of a project to look at it: runs that a dead process left are ended first, where that can be written.
 * It is empty, and nothing is made, where there is none. Throws ConfigError and StoreError.
 *
 * @example
 * const record = await openProjectRecord();
 * console.log(record.runs({ last: 10 }));
 * record.close();
 */
export async function openProjectRecord(
  options: Pick<SettingsOptions, "projectDir" | "environment"> = {},
  cwd?: string,
): Promise<Store> {
  const settings = await resolveSettings(options, cwd);
  const { openStore } = await import("@bridle/store");
  const folder = recordFolder(settings);
  const readOnly = () => openStore({ folder, readOnly: true });
  if (!existsSync(folder)) return readOnly();
  try {
    return await openForRuns(settings);
  } catch (error) {
    if (error instanceof StoreError) return readOnly(); // a full disk, or damage elsewhere, is no reason not to look
    throw error;
  }
}
