import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sha256 } from "@bridle/core";

/** Stores contents in files that are named by their hash. Two writers of the same file write the same content. */
export class ArtifactFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  put(content: string): string {
    const id = sha256(content);
    if (!existsSync(this.#path(id))) writeAtomically(this.#path(id), content);
    return id;
  }

  get(id: string): string | undefined {
    if (!isId(id) || !existsSync(this.#path(id))) return undefined;
    return readFileSync(this.#path(id), "utf8");
  }

  remove(id: string): void {
    if (isId(id)) rmSync(this.#path(id), { force: true });
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
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}`;
  try {
    writeFileSync(draft, content, { mode: 0o600, flag: "wx", flush: true });
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}
