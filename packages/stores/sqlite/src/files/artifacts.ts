import { randomUUID } from "node:crypto";
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createPrivateFolder, readRegularFileSync, refuseLinks, sha256 } from "@bridle/core";

/** A text in memory cannot have more. */
const mostBytes = 500_000_000;

/** Stores contents in files that are named by their hash. Two writers of the same file write the same content. */
export class ArtifactFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  put(content: string): string {
    const id = sha256(content);
    refuseLinks(this.#path(id));
    if (!existsSync(this.#path(id))) writeAtomically(this.#path(id), content);
    return id;
  }

  get(id: string): string | undefined {
    if (!isId(id) || !existsSync(this.#path(id))) return undefined;
    refuseLinks(this.#path(id));
    const content = readRegularFileSync(this.#path(id), mostBytes).toString("utf8");
    return sha256(content) === id ? content : undefined; // somebody changed it
  }

  remove(id: string): void {
    if (!isId(id)) return;
    refuseLinks(this.#path(id));
    rmSync(this.#path(id), { force: true });
  }

  #path(id: string): string {
    return join(this.#folder, id.slice(0, 2), id);
  }
}

function isId(id: string): boolean {
  return /^[0-9a-f]{64}$/.test(id);
}

/** Readers see the whole file or none. */
function writeAtomically(path: string, content: string): void {
  createPrivateFolder(dirname(path));
  const draft = `${path}.${randomUUID()}`;
  try {
    writeFileSync(draft, content, { mode: 0o600, flag: "wx", flush: true });
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}
