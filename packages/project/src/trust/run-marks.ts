/**
 * Marks that processes leave for the trusted files that they use. An agent may write files while it runs, so a change of a marked file is
 * not an edit by the author. The marks are in the user's own folder.
 */
import { randomUUID } from "node:crypto";
import { readdir, rename, rm, writeFile } from "node:fs/promises";
import { uptime } from "node:os";
import { join } from "node:path";
import { makeFolders, readTextFile } from "@bridle/core";
import { z } from "zod";

const markSchema = z.strictObject({
  pid: z.int(),
  at: z.number(),
  /** The trusted files that the process could change. */
  files: z.array(z.string()),
});
type Mark = z.output<typeof markSchema>;

export class RunMarks {
  readonly #folder: string | undefined;

  constructor(folder: string | undefined) {
    this.#folder = folder && join(folder, "trust-runs");
  }

  /** Marks files that this process could change, and resolves with the name of the mark. */
  async begin(files: readonly string[]): Promise<string | undefined> {
    if (this.#folder === undefined) return undefined;
    const name = randomUUID();
    makeFolders(this.#folder);
    await this.#write(name, { pid: process.pid, at: Date.now(), files: [...files] });
    return name;
  }

  /** Keeps the mark for the files that changed. If no file changed, the mark is removed. */
  async end(name: string, changed: readonly string[]): Promise<void> {
    if (this.#folder === undefined) return;
    if (changed.length === 0) await rm(join(this.#folder, name), { force: true });
    else await this.#write(name, { pid: process.pid, at: Date.now(), files: [...changed] });
  }

  /** Whether a process could have changed the file, and did not remove its mark. */
  async isMarked(file: string): Promise<boolean> {
    const marks = await this.#marksOf(file);
    return marks.length > 0;
  }

  /** Removes the marks that ended processes left for a file. */
  async clear(file: string): Promise<void> {
    for (const { name, mark } of await this.#marksOf(file)) {
      if (isRunning(mark)) continue;
      await this.end(
        name,
        mark.files.filter((each) => each !== file),
      );
    }
  }

  async #write(name: string, mark: Mark): Promise<void> {
    const path = join(this.#folder ?? "", name);
    const unfinished = `${path}.${process.pid}.tmp`;
    await writeFile(unfinished, JSON.stringify(mark), { mode: 0o600 });
    await rename(unfinished, path);
  }

  async #marksOf(file: string): Promise<{ readonly name: string; readonly mark: Mark }[]> {
    if (this.#folder === undefined) return [];
    const folder = this.#folder;
    const names = await readdir(folder).catch(() => []);
    const whole = names.filter((name) => !name.endsWith(".tmp"));
    const marks = await Promise.all(
      whole.map(async (name) => ({ name, mark: await readMark(join(folder, name), file) })),
    );
    return marks.flatMap(({ name, mark }) => (mark?.files.includes(file) ? [{ name, mark }] : []));
  }
}

/** Reads the mark in a file. A damaged mark counts as a mark for `file`. */
async function readMark(path: string, file: string): Promise<Mark | undefined> {
  try {
    return markSchema.parse(JSON.parse(await readTextFile(path)));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined; // the process has ended
    return { pid: 0, at: 0, files: [file] };
  }
}

function isRunning({ pid, at }: Mark): boolean {
  return at > Date.now() - uptime() * 1000 && exists(pid);
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
