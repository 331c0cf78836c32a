import { mkdtempSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeOrphanedFolders, temporaryPrefix } from "@bridle/core";
import { ConfigError, systemErrorCode } from "@bridle/protocol";

/**
 * Creates a folder with a name that identifies its owner, and returns its real path. Removes the folders of killed processes first. Throws
 * ConfigError if the folder cannot be created; the error message begins with `purpose`.
 */
export async function makeTemporaryFolder(kind: string, purpose: string): Promise<string> {
  await removeOrphanedFolders(tmpdir()).catch(() => {}); // a folder that cannot be removed must not fail this call
  try {
    return await realpath(await mkdtemp(join(tmpdir(), temporaryPrefix(kind))));
  } catch (cause) {
    throw new ConfigError(
      `${purpose} needs a temporary folder, which cannot be created in ${tmpdir()} (${systemErrorCode(cause)}). Set TMPDIR to a writable folder.`,
      { field: "TMPDIR", cause },
    );
  }
}

/** A folder for one host process. Its name contains the pid and the start time of the program that owns the process. */
export interface HostFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** Creates the folder of a host process synchronously. Throws ConfigError if the parent is not writable. */
export function createHostFolder(parent: string): HostFolder {
  const path = makeFolder(parent);
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
}

function makeFolder(parent: string): string {
  try {
    return mkdtempSync(join(parent, temporaryPrefix("bridle-host")));
  } catch (cause) {
    const message = `The folder for temporary files, ${parent}, is not writable. Set TMPDIR to a writable folder.`;
    throw new ConfigError(message, { field: "TMPDIR", cause });
  }
}
