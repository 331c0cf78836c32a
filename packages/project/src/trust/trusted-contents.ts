/** Earlier contents of trusted code, so that a question can show the changes. They are private files in the user's own folder. */
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolders, readRegularFileSync, sha256 } from "@bridle/core";
import type { LoadedFile } from "@bridle/protocol";
import { isCodeFile } from "./code-state.ts";
import { escapeHidden } from "./describe-states.ts";

/** The maximum size of a file that is kept, in bytes. */
const maxBytes = 200_000;
const maxFiles = 500;
const maxLines = 40;
const maxEdits = 2000;

export class TrustedContents {
  readonly #folder: string | undefined;

  constructor(folder: string | undefined) {
    this.#folder = folder && join(folder, "trust-contents");
  }

  /** Keeps the contents of code files only, because other files may contain credentials. */
  async keep(files: readonly LoadedFile[]): Promise<void> {
    if (this.#folder === undefined) return;
    makeFolders(this.#folder);
    const stored = new Set(await readdir(this.#folder));
    for (const { path, hash } of files.filter((file) => isCodeFile(file.path)).slice(0, maxFiles)) {
      if (stored.has(hash)) continue;
      const bytes = read(path);
      if (bytes === undefined || sha256(bytes) !== hash) continue;
      await writeFile(join(this.#folder, hash), bytes, { mode: 0o600 });
      stored.add(hash);
    }
  }

  /** Removes all contents except these. */
  async keepOnly(hashes: ReadonlySet<string>): Promise<void> {
    if (this.#folder === undefined) return;
    const names = await readdir(this.#folder).catch(() => []);
    for (const name of names) if (!hashes.has(name)) await rm(join(this.#folder, name), { force: true });
  }

  /** Lists the lines that differ from the trusted content; empty if that content is unknown or not code. */
  async difference({ path, hash }: LoadedFile, former: string | undefined): Promise<string[]> {
    if (!isCodeFile(path) || this.#folder === undefined) return [];
    const before = former === undefined ? "" : read(join(this.#folder, former))?.toString("utf8");
    const after = hash === "" ? "" : read(path)?.toString("utf8");
    if (before === undefined || after === undefined) return [];
    const { structuredPatch } = await import("diff");
    const patch = structuredPatch("", "", before, after, "", "", { context: 1, maxEditLength: maxEdits });
    const lines = (patch?.hunks ?? []).flatMap((hunk, index) => (index === 0 ? hunk.lines : ["…", ...hunk.lines]));
    const shown = lines.slice(0, maxLines).map((line) => escapeHidden(line.replace(/^([-+ ])/, "$1 ")));
    return lines.length > maxLines ? [...shown, `… ${lines.length - maxLines} more lines`] : shown;
  }
}

function read(path: string): Buffer | undefined {
  try {
    return readRegularFileSync(path, maxBytes);
  } catch {
    return undefined;
  }
}
