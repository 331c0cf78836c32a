import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { temporaryPrefix } from "@bridle/core";
import { ConfigError } from "@bridle/protocol";

/** A folder for one host process. Its name contains the owner's pid and start time. */
export interface TemporaryFolder {
  readonly path: string;
  /**
   * The variables that make the host use the folder, also for its caches. Otherwise a host that ends soon leaves a probe
   * file in the shared folder. It also writes a log of each MCP server, with the errors of our tools in plain text, to
   * the user's cache (observed on 2.1.330).
   */
  readonly variables: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/** Throws ConfigError if the parent is not writable. */
export function createTemporaryFolder(parent: string): TemporaryFolder {
  const path = makeFolder(parent);
  return {
    path,
    variables: { CLAUDE_CODE_TMPDIR: path, XDG_CACHE_HOME: join(path, "cache") },
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}

function makeFolder(parent: string): string {
  try {
    return mkdtempSync(join(parent, temporaryPrefix("bridle-host")));
  } catch (cause) {
    const message = `The folder for temporary files, ${parent}, is not writable. Set TMPDIR to a writable folder.`;
    throw new ConfigError(message, { field: "TMPDIR", cause });
  }
}
