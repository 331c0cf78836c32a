import { existsSync } from "node:fs";
import { join } from "node:path";
import { createRedactor, isCredentialName, type Redactor, sha256 } from "@bridle/core";
import { ConfigError, StoreError } from "@bridle/protocol";
import type { Store } from "@bridle/store-sqlite";
import type { PostgresConfig } from "../config/event-log.ts";
import { encodeNamespace } from "../namespace/encode-namespace.ts";
import { bridleFolder } from "../namespace/folders.ts";
import type { Settings } from "../settings/settings.ts";
import { requireOwnerKey } from "../trust/owner-key.ts";

/** The minimum length of a value to redact. Shorter values, such as a model's alias, can be part of any word. */
const minValueLength = 7;

/**
 * Creates a redactor for the values that the settings take from the environment, the secrets in the settings, and all credentials of the
 * environment. In a namespace, it also redacts the credentials of this process, because the namespace's tools run in this process. In
 * approvals, it replaces only values of the environment: otherwise the author of a file could hide code that runs.
 */
export function settingsRedactor(settings: Pick<Settings, "values" | "environment" | "processEnvironment">): Redactor {
  const { values, environment, processEnvironment = {} } = settings;
  const secrets = values
    .filter(({ value }) => value.length >= minValueLength)
    .map(({ value, shown, isOfProgram = false }) => {
      const [, variable, path] = /^(?:\$\{(\w+)\}|\(([\w.-]+)\))$/.exec(shown) ?? [];
      return { value, name: variable ?? path, isWritten: variable === undefined && !isOfProgram };
    });
  const ofProcess = Object.entries(processEnvironment).flatMap(([name, value]) =>
    value && isCredentialName(name) ? [{ value, name }] : [],
  );
  return createRedactor({ secrets: [...secrets, ...ofProcess], environment });
}

/** Opens the project's event log for runs, and creates it if necessary. Throws StoreError. */
export async function openForRuns(settings: Settings): Promise<Store> {
  if (settings.eventLog) return openInPostgres(settings, settings.eventLog);
  const { openStore } = await import("@bridle/store-sqlite"); // loads SQLite, which is needed only for an event log on disk
  const ownerKey = await findOwnerKey(settings);
  return openStore({ folder: bridleFolder(settings), ownerKey, redactor: settingsRedactor(settings) });
}

/** Describes where the project's event log is: the path of a file, or a database without its credentials. */
export async function describeEventLog(settings: Settings): Promise<string> {
  const { eventLog } = settings;
  if (!eventLog) return join(bridleFolder(settings), "state.db");
  if (eventLog.url === undefined) return "PostgreSQL (eventLog.url is missing)";
  const { describeDatabase } = await import("@bridle/store-postgres");
  return describeDatabase(eventLog.url, schemaOf(eventLog, settings));
}

/** Opens the event log in a database. */
async function openInPostgres(settings: Settings, config: PostgresConfig): Promise<Store> {
  const { url, leaseMs } = config;
  if (url === undefined) throw missingUrl(settings);
  const { openPostgresEventLog } = await import("@bridle/store-postgres");
  return openPostgresEventLog({
    url,
    leaseMs,
    schema: schemaOf(config, settings),
    redactor: settingsRedactor(settings),
  });
}

/**
 * Returns the name of the schema: each namespace has its own. The name has at most 63 bytes. Names in a file contain no space, so they
 * never equal a namespace's schema. No other encoded namespace begins with `_h`.
 */
function schemaOf({ schema = "bridle" }: PostgresConfig, { namespace }: Settings): string {
  if (namespace === undefined) return schema;
  const encoded = encodeNamespace(namespace);
  return `${schema} ${encoded.length <= 32 ? encoded : `_h${sha256(encoded).slice(0, 30)}`}`;
}

function missingUrl({ absent, positions, namespace }: Settings): ConfigError {
  const variables = absent["eventLog.url"]?.join(" and ");
  const position = positions["eventLog.url"] ?? positions.eventLog;
  const remedies = {
    inFile: `Write "url: \${DATABASE_URL}" under eventLog in bridle.yaml.`,
    inEnvironment: `Set ${variables} in the environment.`,
    inOption: `Pass ${variables} in the option environment. A namespace gets no credentials from this process.`,
  };
  const remedy = variables === undefined ? "inFile" : namespace === undefined ? "inEnvironment" : "inOption";
  const message = `The event log needs eventLog.url, which is missing. ${remedies[remedy]}`;
  return new ConfigError(message, { field: "eventLog.url", ...(position && { position }) });
}

/** Finds the key that marks a new event log. Without a writable home, as in some containers, the log gets no mark. */
async function findOwnerKey(settings: Settings): Promise<Uint8Array | undefined> {
  try {
    return await requireOwnerKey(settings);
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

/**
 * Opens a project's event log for reading. Runs that a dead process left open are ended first, if the log can be written. Without an event
 * log, the result is empty and no file is created. Throws StoreError.
 */
export async function openEventLogForReading(settings: Settings): Promise<Store> {
  if (!settings.eventLog && !existsSync(bridleFolder(settings))) return openUnchangedEventLog(settings);
  try {
    return await openForRuns(settings);
  } catch (error) {
    const canBeRead = error instanceof StoreError && !settings.eventLog; // a full disk, or damage elsewhere, must not prevent reading
    if (canBeRead) return openUnchangedEventLog(settings);
    throw error;
  }
}

/** Opens a project's event log without changing or creating a file. Throws StoreError. */
export async function openUnchangedEventLog(settings: Settings): Promise<Store> {
  if (settings.eventLog) return openInPostgres(settings, settings.eventLog);
  const { openStore } = await import("@bridle/store-sqlite");
  return openStore({ folder: bridleFolder(settings), readOnly: true });
}
