import { existsSync } from "node:fs";
import { join } from "node:path";
import { type ChangeFilesOptions, ReplacedFile, withChangeLock } from "@bridle/context";
import { createPrivateFolder } from "@bridle/core";
import { ConfigError } from "@bridle/protocol";
import { applyChanges } from "../runs/changes/apply-changes.ts";
import { singleChange } from "../runs/changes/single-change.ts";
import { type MemoryFact, type MemoryScope, memoryFileName, readMemory } from "./memory-file.ts";

/** The locations of memory files. */
export interface MemoryPlaces extends ChangeFilesOptions {
  /** The user's own settings folder. If missing, the user has no memory. */
  readonly userDir?: string | undefined;
}

/** The memory of one scope. */
export class ScopedMemory {
  readonly scope: MemoryScope;
  /** The path of the file, for display. */
  readonly file: string;
  readonly #path: string;
  readonly #places: MemoryPlaces;

  /** Throws ConfigError if the user has no folder. */
  constructor(scope: MemoryScope, places: MemoryPlaces) {
    const { projectDir, userDir } = places;
    if (scope === "user" && userDir === undefined) {
      throw new ConfigError("There is no folder of this user, so nothing can be remembered for the user alone.", {});
    }
    this.scope = scope;
    this.#places = places;
    this.#path = scope === "project" ? join(projectDir, memoryFileName) : join(userDir ?? "", "memory.yaml");
    this.file = scope === "project" ? memoryFileName : this.#path;
  }

  /** Reads the facts. Throws ConfigError with the position if the file is wrong. */
  facts(): readonly MemoryFact[] {
    return this.#read().facts;
  }

  #read() {
    return readMemory(this.#path, this.file, this.scope === "project" ? this.#places.projectDir : undefined);
  }

  /**
   * Changes the file. `edit` receives the file's text and returns the new text. It is called again if the file changed in the meantime.
   * `subject` is for the list of changes, so it must not contain text that a user may want to forget.
   */
  async change(edit: (content: string) => string, subject: string, verb: string): Promise<void> {
    if (this.scope === "project") await this.#changeProject(edit, subject, verb);
    else await this.#changeUser(edit);
  }

  async #changeProject(edit: (content: string) => string, subject: string, verb: string): Promise<void> {
    const { projectDir } = this.#places;
    const plan = async () => {
      const { content } = this.#read();
      const after = edit(content);
      const change = { subject, kind: "memory", after: JSON.stringify(verb) };
      return singleChange(projectDir, {
        file: memoryFileName,
        kind: "memory",
        before: content === "" ? undefined : content,
        after: after === "" ? undefined : after,
        changes: [change],
      });
    };
    const { failed } = await applyChanges(await plan(), {
      ...this.#places,
      reason: `memory: ${verb}`,
      author: "memory",
      planAgain: plan,
    });
    if (failed[0] !== undefined) throw new ConfigError(failed[0].reason, { field: memoryFileName });
  }

  /** Changes the user's memory, which is not in the project. */
  async #changeUser(edit: (content: string) => string): Promise<void> {
    const folder = this.#places.userDir ?? "";
    if (!existsSync(folder)) createPrivateFolder(folder);
    await withChangeLock(join(folder, "memory.lock.db"), async () => {
      const { content } = this.#read();
      const replaced = new ReplacedFile(this.#path);
      try {
        replaced.replace(edit(content), 0o600);
      } finally {
        replaced.forget();
      }
    });
  }
}
