import { link, open, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { ConfigError } from "@bridle/protocol";

/** A file that can be written, and is not there before all of it is. */
export interface OutputFile {
  /** Throws ConfigError when it cannot be written after all. */
  write(content: string | Uint8Array): Promise<void>;
}

interface Wanted {
  readonly cwd: string;
  /** The option that names it, for the remedy. */
  readonly flag: string;
  /** Whether a file that is there may be replaced. */
  readonly force: boolean;
}

/** Finds out whether a file can be written, before any work is done for it. Throws ConfigError when it cannot. */
export async function claimOutput(file: string, { cwd, flag, force }: Wanted): Promise<OutputFile> {
  const path = resolve(cwd, file);
  const temporary = join(dirname(path), `.${process.pid}-${Date.now().toString(36)}.bridle`);
  const refuse = (reason: string, cause?: unknown) => new ConfigError(reason, { field: flag, cause });

  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) throw refuse(`${file} is a folder. Name a file after ${flag}.`);
  if (found && !force) throw refuse(`${file} exists. Add --force to write over it, or name another after ${flag}.`);
  try {
    await (await open(temporary, "wx")).close();
    await rm(temporary);
  } catch (cause) {
    throw refuse(
      `${file} cannot be written (${codeOf(cause)}). Name a file in a folder that can be, after ${flag}.`,
      cause,
    );
  }

  async function write(content: string | Uint8Array): Promise<void> {
    try {
      await writeFile(temporary, content, { flag: "wx" });
      await (force ? rename(temporary, path) : moveToFree(temporary, path));
    } catch (cause) {
      if (codeOf(cause) === "EEXIST")
        throw refuse(`${file} was made meanwhile, and is kept. What was to be in it is in ${temporary}.`, cause);
      await rm(temporary, { force: true });
      throw refuse(`${file} cannot be written (${codeOf(cause)}). Name another after ${flag}.`, cause);
    }
  }
  return { write };
}

/** A rename would replace a file that came meanwhile; a second name for the same file cannot. */
async function moveToFree(temporary: string, path: string): Promise<void> {
  await link(temporary, path);
  await rm(temporary);
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
