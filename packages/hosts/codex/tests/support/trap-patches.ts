/** Patches for a folder. One patch stays in the folder. Each of the others is redirected by a link as soon as it is allowed. */
import { mkdir, readdir, rename, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { patchCall } from "./patches.ts";

export interface TrapPatchPlaces {
  /** The folder that patches may change. */
  readonly project: string;
  /** Folders that no patch may change. */
  readonly others: readonly string[];
}

const added = "added-by-a-patch.txt";

export class TrapPatches {
  readonly calls = [patchCall(`*** Add File: ${added}\n+new`)];
  readonly #project: string;
  readonly #others: readonly string[];

  constructor({ project, others }: TrapPatchPlaces) {
    this.#project = project;
    this.#others = others;
    for (const index of others.keys()) this.calls.push(patchCall(`*** Add File: folder-${index}/${added}\n+new`));
  }

  async plant(): Promise<void> {
    for (const [index, other] of this.#others.entries()) {
      await mkdir(join(this.#project, `folder-${index}`));
      await mkdir(other, { recursive: true });
    }
  }

  /** Replaces a folder just after its patch was allowed, as an attacker would. */
  async replaceFolderOf(path: string): Promise<void> {
    const folder = dirname(path);
    const other = this.#others.find((_, index) => folder.endsWith(`folder-${index}`));
    if (other === undefined) return;
    await rename(folder, `${folder}-before`);
    await symlink(other, folder);
  }

  /** Lists forbidden effects of the patches, and required effects that are missing. */
  async holes(): Promise<string[]> {
    const has = (folder: string) => readdir(folder).then((names) => names.includes(added));
    const others = await Promise.all(this.#others.map(has));
    return [
      ...((await has(this.#project)) ? [] : ["the patch was not applied"]),
      ...(others.includes(true) ? ["a file of another folder was written"] : []),
    ];
  }
}
