import { existsSync } from "node:fs";
import { createRedactor, isCredentialName, type Redactor } from "@bridle/core";
import { StoreError } from "@bridle/protocol";
import type { Store } from "@bridle/store-sqlite";
import { bridleFolder } from "./namespace/places.ts";
import { resolveSettings, type Settings, type SettingsOptions } from "./settings.ts";

/** Shorter ones from the file may be a part of any word, such as a model's alias. */
const shortestValue = 7;

/**
 * Takes out what the settings took from the environment or hold as secrets, and all credentials of the environment; in a
 * namespace also those of this process, in which its tools run.
 */
export function settingsRedactor(settings: Pick<Settings, "values" | "environment" | "processEnvironment">): Redactor {
  const { values, environment, processEnvironment = {} } = settings;
  const secrets = values.map(({ value }) => value).filter((value) => value.length >= shortestValue);
  const ofProcess = Object.entries(processEnvironment).flatMap(([name, text]) =>
    text && isCredentialName(name) ? [text] : [],
  );
  return createRedactor({ secrets: [...secrets, ...ofProcess], environment });
}

/** Opens the project's record for runs, and makes it where there is none. Throws StoreError. */
export async function openForRuns(settings: Settings): Promise<Store> {
  const { openStore } = await import("@bridle/store-sqlite"); // with SQLite, which runs without a record on disk do not need
  return openStore({ folder: bridleFolder(settings), redactor: settingsRedactor(settings) });
}

/**
 * Opens the record of a project to look at it: runs that a dead process left are ended first, where that can be written.
 * It is empty, and nothing is made, where there is none. Throws ConfigError and StoreError.
 *
 * @example
 * const record = await openProjectEventLog();
 * console.log(record.runs({ last: 10 }));
 * record.close();
 */
export async function openProjectEventLog(
  options: Pick<SettingsOptions, "projectDir" | "namespace" | "environment" | "processEnvironment"> = {},
  cwd?: string,
): Promise<Store> {
  const settings = await resolveSettings(options, cwd);
  const { openStore } = await import("@bridle/store-sqlite");
  const folder = bridleFolder(settings);
  const readOnly = () => openStore({ folder, readOnly: true });
  if (!existsSync(folder)) return readOnly();
  try {
    return await openForRuns(settings);
  } catch (error) {
    if (error instanceof StoreError) return readOnly(); // a full disk, or damage elsewhere, is no reason not to look
    throw error;
  }
}
