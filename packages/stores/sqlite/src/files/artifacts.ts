import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readRegularFileSync, refuseLinks, sha256 } from "@bridle/core";

/** The maximum number of bytes, because a string in memory cannot have more. */
const maxBytes = 500_000_000;

/** The contents that event logs before format 6 stored in files, each named after the content's hash. */
export class ArtifactFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  get(id: string): string | undefined {
    if (!isId(id) || !existsSync(this.#path(id))) return undefined;
    refuseLinks(this.#path(id));
    const content = readRegularFileSync(this.#path(id), maxBytes).toString("utf8");
    return sha256(content) === id ? content : undefined; // the file was changed
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
