import {
  closeSync,
  copyFileSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { ConfigError, getErrorMessage } from "@bridle/protocol";
import { entriesOf } from "./folder-entries.ts";

/** A file that is replaced as a whole: readers see the old text or the new one, even after a crash. The file keeps its mode. */
export class ReplacedFile {
  readonly #path: string;
  readonly #temporary: string;
  /** A second name of the old file. Renaming it needs no space, so it works on a full disk, too. */
  readonly #old: string;
  #existed = false;

  constructor(path: string) {
    this.#path = path;
    this.#temporary = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
    this.#old = join(dirname(path), `.${basename(path)}.${process.pid}.old`);
  }

  /** Removes temporary files of processes that died while replacing the file. Call it only while no other process can replace the file. */
  static removeLeftovers(path: string): void {
    const name = basename(path);
    for (const entry of entriesOf(dirname(path))) {
      const [, middle] = /^\.(.*)\.\d+\.(?:tmp|old)$/.exec(entry.name) ?? [];
      if (middle === name) rmSync(join(dirname(path), entry.name), { force: true });
    }
  }

  /**
   * Replaces the text. `mode` applies to a new file. Throws ConfigError, for example if the disk is full, and leaves the file unchanged.
   */
  replace(text: string, mode = 0o666): void {
    try {
      this.#write(text, mode);
      this.#keepOld();
      renameSync(this.#temporary, this.#path);
    } catch (cause) {
      this.forget();
      const message = `${this.#path} cannot be written: ${getErrorMessage(cause)}. It is as it was.`;
      throw new ConfigError(message, { cause });
    }
  }

  /** Restores the previous file. */
  restore(): void {
    if (this.#existed) renameSync(this.#old, this.#path);
    else rmSync(this.#path, { force: true });
  }

  forget(): void {
    for (const file of [this.#temporary, this.#old]) rmSync(file, { force: true });
  }

  #write(text: string, newMode: number): void {
    const mode = statSync(this.#path, { throwIfNoEntry: false })?.mode;
    const descriptor = openSync(this.#temporary, "w", mode === undefined ? newMode : mode & 0o777);
    try {
      writeFileSync(descriptor, text); // unlike writeSync, it continues after a partial write
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  #keepOld(): void {
    this.#existed = statSync(this.#path, { throwIfNoEntry: false }) !== undefined;
    rmSync(this.#old, { force: true });
    if (!this.#existed) return;
    try {
      linkSync(this.#path, this.#old);
    } catch {
      copyFileSync(this.#path, this.#old); // the file system has no links
    }
  }
}
