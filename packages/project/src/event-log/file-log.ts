import { appendFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { createPrivateFolder, refuseLinks } from "@bridle/core";
import type { Logger } from "@bridle/protocol";

/** The folder for warnings and errors, within the folder of the project's state. */
export const logFolder = "logs";
/** The newest log and the one before it. */
export const logNames = ["bridle.log", "bridle.1.log"] as const;

/** The maximum size of one file in bytes. There are at most two files; older lines are deleted. */
const maxLogLength = 1_000_000;

export interface FileLogOptions {
  /** The folder of the project's state. */
  folder: string;
  now?: () => number;
  maxBytes?: number;
  /** Called once if the log cannot be written. Runs continue without it. */
  onFailure(error: unknown): void;
}

/** Creates a logger that writes warnings and errors as lines of JSON with `time`, `level`, `message` and the fields. Never throws. */
export function createFileLog({ folder, now = Date.now, maxBytes = maxLogLength, onFailure }: FileLogOptions): Logger {
  const [file, previous] = logNames.map((name) => join(folder, logFolder, name)) as [string, string]; // two names
  let hasFailed = false;

  const write = (level: string) => (fields: object, message: string) => {
    if (hasFailed) return;
    try {
      const line = { time: new Date(now()).toISOString(), level, message, ...fields };
      createPrivateFolder(join(folder, logFolder));
      for (const path of [file, previous]) refuseLinks(path);
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) >= maxBytes) renameSync(file, previous);
      appendFileSync(file, `${JSON.stringify(line, inJson)}\n`, { mode: 0o600 });
    } catch (error) {
      hasFailed = true;
      onFailure(error);
    }
  };
  return { debug() {}, info() {}, warn: write("warning"), error: write("error") };
}

/** Converts errors to objects, because JSON cannot represent them. */
function inJson(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const { name, message, cause } = value;
  return cause === undefined ? { name, message } : { name, message, cause };
}
