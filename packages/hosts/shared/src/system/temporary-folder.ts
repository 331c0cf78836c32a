import { mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigError, systemErrorCode } from "@bridle/protocol";

/** A new folder, by its real path, with this process's pid in its name. Throws ConfigError if none can be made; `purpose` begins the sentence. */
export async function makeTemporaryFolder(prefix: string, purpose: string): Promise<string> {
  try {
    return await realpath(await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`)));
  } catch (cause) {
    throw new ConfigError(
      `${purpose} needs a temporary folder, which cannot be created in ${tmpdir()} (${systemErrorCode(cause)}). Set TMPDIR to a writable folder.`,
      { field: "TMPDIR", cause },
    );
  }
}
