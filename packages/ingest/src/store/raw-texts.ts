import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createPrivateFolder, readRegularFileSync, refuseLinks } from "@bridle/core";
import { ingestState } from "./ingest-file.ts";

/** The maximum size of an item's text in bytes. Longer texts are refused when items are staged. */
export const maxTextLength = 50_000_000;

/** Stores the texts of versions as files, named after the version's hash. Each text is stored completely or not at all. */
export class RawTexts {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  has(version: string): boolean {
    return existsSync(this.#path(version));
  }

  /** Reads a text; undefined if it does not exist or cannot be read. */
  read(version: string): string | undefined {
    const path = this.#path(version);
    refuseLinks(path);
    try {
      return readRegularFileSync(path, maxTextLength * 2).toString("utf8");
    } catch {
      return undefined;
    }
  }

  /** Writes a text. Throws IngestStoreError if that is not possible, for example because the disk is full. */
  write(version: string, text: string): void {
    const path = this.#path(version);
    ingestState.explain(this.folder, () => {
      createPrivateFolder(dirname(path));
      const temporary = `${path}.${process.pid}.${randomBytes(4).toString("hex")}.tmp`;
      try {
        writeFileSync(temporary, text, { mode: 0o600 });
        renameSync(temporary, path);
      } catch (error) {
        rmSync(temporary, { force: true });
        throw error;
      }
    });
  }

  /** Removes all texts except the kept ones, and half-written files of earlier processes. Returns the number of removed files. */
  keepOnly(isKept: (version: string) => boolean): number {
    let removed = 0;
    for (const folder of namesIn(this.folder)) {
      for (const file of namesIn(join(this.folder, folder))) {
        if (file.endsWith(".txt") && isKept(file.slice(0, -".txt".length))) continue;
        rmSync(join(this.folder, folder, file), { force: true });
        removed += 1;
      }
    }
    return removed;
  }

  #path(version: string): string {
    return join(this.folder, version.slice(0, 2), `${version}.txt`);
  }
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
