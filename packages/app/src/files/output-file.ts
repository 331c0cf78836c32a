import { type FileHandle, link, open, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { ConfigError, isBridleError, systemErrorCode } from "@bridle/protocol";

interface OutputFileOptions {
  readonly cwd: string;
  /** The option that names the file, for the remedy. */
  readonly flag: string;
  /** Whether an existing file may be replaced. */
  readonly force: boolean;
}

/** An output file that only this user can access. It appears only when its content is complete. */
export interface OutputFile {
  /** Throws ConfigError if the file cannot be written. */
  write(content: string | Uint8Array): Promise<void>;
  /**
   * Writes content in pieces, so that it need not fit in memory. If `produce` or a write fails, no file appears, and the error is passed
   * on. Throws ConfigError if the file can no longer be written.
   */
  fill(produce: (temporary: TemporaryFiles) => Promise<AsyncIterable<Uint8Array>>): Promise<void>;
}

/** Temporary files for data that do not fit in memory. */
export interface TemporaryFiles {
  /**
   * Opens an empty file for reading and writing, on the disk of the output. The file has no name, so nothing is left of it even if the
   * process is killed.
   */
  create(): Promise<FileHandle>;
}

/** Checks that a file can be written, before any work on its content. Throws ConfigError if it cannot. */
export async function claimOutput(file: string, options: OutputFileOptions): Promise<OutputFile> {
  const output = new ClaimedOutput(file, options);
  await output.claim();
  return output;
}

class ClaimedOutput implements OutputFile {
  readonly #file: string;
  readonly #path: string;
  readonly #temporary: string;
  readonly #options: OutputFileOptions;

  constructor(file: string, options: OutputFileOptions) {
    this.#file = file;
    this.#path = resolve(options.cwd, file);
    this.#temporary = join(dirname(this.#path), `.${process.pid}-${Date.now().toString(36)}.bridle`);
    this.#options = options;
  }

  async claim(): Promise<void> {
    const { flag, force } = this.#options;
    const found = await stat(this.#path).catch(() => undefined);
    if (found?.isDirectory()) throw this.#refuse(`${this.#file} is a folder. Name a file after ${flag}.`);
    if (found && !force) {
      const remedy = flag.startsWith("--") ? "Add --force to overwrite it, or name" : "Name";
      throw this.#refuse(`${this.#file} exists. ${remedy} another file after ${flag}.`);
    }
    try {
      await (await open(this.#temporary, "wx")).close();
      await rm(this.#temporary);
    } catch (cause) {
      const remedy = `Name a file in a writable folder after ${flag}.`;
      throw this.#refuse(`${this.#file} cannot be written (${systemErrorCode(cause)}). ${remedy}`, cause);
    }
  }

  async write(content: string | Uint8Array): Promise<void> {
    await this.#replace(() => writeFile(this.#temporary, content, { flag: "wx", mode: 0o600 }));
  }

  async fill(produce: (temporary: TemporaryFiles) => Promise<AsyncIterable<Uint8Array>>): Promise<void> {
    const opened: FileHandle[] = [];
    const create = async () => {
      const name = `${this.#temporary}-${opened.length}`;
      const file = await open(name, "wx+", 0o600);
      opened.push(file);
      await rm(name);
      return file;
    };
    await this.#replace(async () => {
      try {
        const content = await produce({ create });
        const target = await open(this.#temporary, "wx", 0o600);
        opened.push(target);
        await target.writeFile(content);
        await target.sync();
      } finally {
        for (const file of opened) await file.close();
      }
    });
  }

  /** Writes to a temporary file, and gives the file its name when its content is complete. */
  async #replace(write: () => Promise<void>): Promise<void> {
    try {
      await write();
      await (this.#options.force ? rename(this.#temporary, this.#path) : moveToFree(this.#temporary, this.#path));
    } catch (cause) {
      if (systemErrorCode(cause) === "EEXIST") {
        const kept = `The new content is in ${this.#temporary}.`;
        throw this.#refuse(`${this.#file} was created in the meantime and is unchanged. ${kept}`, cause);
      }
      await rm(this.#temporary, { force: true });
      if (isBridleError(cause) || !isSystemError(cause)) throw cause;
      const code = systemErrorCode(cause);
      const space = ["ENOSPC", "EDQUOT", "EFBIG"].includes(code) ? "Free some space, or name" : "Name";
      const remedy = `${space} another file after ${this.#options.flag}.`;
      throw this.#refuse(`${this.#file} cannot be written (${code}). ${remedy}`, cause);
    }
  }

  #refuse(message: string, cause?: unknown): ConfigError {
    return new ConfigError(message, { field: this.#options.flag, cause });
  }
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}

/** Links the file to its path, unless the path exists. A rename would replace a file that was created in the meantime. */
async function moveToFree(temporary: string, path: string): Promise<void> {
  await link(temporary, path);
  await rm(temporary);
}
