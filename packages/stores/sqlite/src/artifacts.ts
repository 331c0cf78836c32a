import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sha256 } from "@bridle/core";

/** Contents in files that are named by their hash; whoever writes one writes the same. */
export interface Artifacts {
  put(content: string): string;
  get(id: string): string | undefined;
  remove(id: string): void;
}

export function createArtifacts(folder: string): Artifacts {
  const pathOf = (id: string) => join(folder, id.slice(0, 2), id);
  return {
    put(content) {
      const id = sha256(content);
      if (!existsSync(pathOf(id))) writeWhole(pathOf(id), content);
      return id;
    },
    get(id) {
      if (!isId(id) || !existsSync(pathOf(id))) return undefined;
      return readFileSync(pathOf(id), "utf8");
    },
    remove(id) {
      if (isId(id)) rmSync(pathOf(id), { force: true });
    },
  };
}

function isId(id: string): boolean {
  return /^[0-9a-f]{64}$/.test(id);
}

/** Nobody ever sees a part of it. */
function writeWhole(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}`;
  try {
    writeFileSync(draft, content, { mode: 0o600, flag: "wx", flush: true });
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}
