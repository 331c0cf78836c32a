import { mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeOrphanedFolders, temporaryPrefix } from "@bridle/core";
import { ConfigError, systemErrorCode } from "@bridle/protocol";

/**
 * A new folder, by its real path, that says whose it is. Folders of processes that were killed are removed first. Throws
 * ConfigError if none can be made; `purpose` begins the sentence.
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
