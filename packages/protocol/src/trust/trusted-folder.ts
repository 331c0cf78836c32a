import { ConfigError } from "../errors/errors.ts";
import type { EffectiveFile, FolderEffect } from "./folder-effect.ts";
import type { FolderTrust } from "./folder-trust.ts";
import { findChangesSince, withCurrentContent } from "./read-again.ts";

/**
 * The proof that a folder's files may take effect. Code that starts a program for a folder requires this proof, and only a trust decision
 * creates it. TypeScript therefore refuses a start without a decision.
 */
export class TrustedFolder {
  readonly #trust: FolderTrust | undefined;
  /** The files that the decision covers. */
  readonly #files: readonly EffectiveFile[];

  private constructor(trust: FolderTrust | undefined, files: readonly EffectiveFile[]) {
    this.#trust = trust;
    this.#files = files;
  }

  /**
   * Resolves once the files are trusted. Without `trust`, they count as trusted, because the author of the program chose the folder.
   *
   * @throws ConfigError that lists the effects of the files.
   */
  static async require(trust: FolderTrust | undefined, files: readonly EffectiveFile[]): Promise<TrustedFolder> {
    await trust?.require(files);
    return new TrustedFolder(trust, files);
  }

  get files(): readonly string[] {
    return this.#files.map(({ path }) => path);
  }

  /** Returns the proof for some of the effects, such as those of one tool. If no effect is wanted, the proof covers all of them. */
  only(isWanted: (effect: FolderEffect, path: string) => boolean): TrustedFolder {
    const files = this.#files.flatMap((file) => {
      const effects = file.effects.filter((effect) => isWanted(effect, file.path));
      return effects.length === 0 ? [] : [{ ...file, effects }];
    });
    return files.length === 0 ? this : new TrustedFolder(this.#trust, files);
  }

  /**
   * Confirms the trust. Call it before each start of a program, because a program may start long after the decision, or again. Resolves if
   * the files of the effects are unchanged since the decision, or are trusted as they are now. Never asks the user.
   *
   * @throws ConfigError that names the files that changed.
   */
  async confirm(): Promise<void> {
    if (this.#trust === undefined) return;
    const changed = this.#files.filter((file) => findChangesSince(file).length > 0);
    if (changed.length === 0) return;
    const states = await this.#trust.check(changed.map(withCurrentContent));
    const open = changed.filter(({ path }) => !states.some((state) => state.path === path && state.isTrusted));
    if (open.length === 0) return;
    const names = open.flatMap(findChangesSince).join(", ");
    const commands = open.map(({ path }) => `bridle trust ${JSON.stringify(path)}`).join(", ");
    const message = `${names} changed since it was trusted, so it was not started. To trust it, run: ${commands}`;
    throw new ConfigError(message, { field: "trust" });
  }
}
