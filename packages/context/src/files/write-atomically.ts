import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Replaces a file as a whole: readers see the old text or the new one, also after a crash. The mode of the file stays. */
export function writeAtomically(path: string, text: string): void {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  const descriptor = openSync(temporary, "w", mode === undefined ? 0o666 : mode & 0o777);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } catch (error) {
    closeSync(descriptor);
    rmSync(temporary, { force: true });
    throw error;
  }
  closeSync(descriptor);
  renameSync(temporary, path);
}
