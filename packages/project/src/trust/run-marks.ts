/**
 * Marks of processes that use trusted files. An agent may write files while it runs, so a change that meets a mark is not an edit
 * of the author. The marks are in the user's own folder.
 */
import { randomUUID } from "node:crypto";
import { readdir, rm, writeFile } from "node:fs/promises";
import { uptime } from "node:os";
import { join } from "node:path";
import { makeFolders, readTextFile, sha256 } from "@bridle/core";
import { z } from "zod";

const markSchema = z.strictObject({ pid: z.int(), at: z.number() });
type Mark = z.output<typeof markSchema>;

export class RunMarks {
  readonly #folder: string | undefined;

  constructor(folder: string | undefined) {
    this.#folder = folder && join(folder, "trust-runs");
  }

  /** Marks a file as used by this process, and resolves with the name of the mark. */
  async begin(path: string): Promise<string | undefined> {
    if (this.#folder === undefined) return undefined;
    const mark: Mark = { pid: process.pid, at: Date.now() };
    const name = `${prefixOf(path)}${randomUUID()}`;
    makeFolders(this.#folder);
    await writeFile(join(this.#folder, name), JSON.stringify(mark), { flag: "wx", mode: 0o600 });
    return name;
  }

  /** Removes a mark: its process has changed nothing. */
  async end(name: string): Promise<void> {
    if (this.#folder !== undefined) await rm(join(this.#folder, name), { force: true });
  }

  /** Whether a process used the file and has not shown that it changed nothing. */
  async isMarked(path: string): Promise<boolean> {
    return (await this.#namesOf(path)).length > 0;
  }

  /** Removes the marks of processes that have ended. */
  async clear(path: string): Promise<void> {
    for (const name of await this.#namesOf(path)) if (!(await this.#isRunning(name))) await this.end(name);
  }

  async #namesOf(path: string): Promise<string[]> {
    if (this.#folder === undefined) return [];
    const names = await readdir(this.#folder).catch(() => []);
    return names.filter((name) => name.startsWith(prefixOf(path)));
  }

  async #isRunning(name: string): Promise<boolean> {
    try {
      const { pid, at } = markSchema.parse(JSON.parse(await readTextFile(join(this.#folder ?? "", name))));
      return at > Date.now() - uptime() * 1000 && exists(pid);
    } catch {
      return false; // a damaged mark
    }
  }
}

function prefixOf(path: string): string {
  return `${sha256(path).slice(0, 32)}.`;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
