import type { EffectiveFile } from "./folder-effect.ts";
import type { FolderTrust } from "./folder-trust.ts";

/**
 * The proof that files of a folder may take effect. Code that starts a program for a folder requires one, and only a
 * decision about trust creates one. TypeScript therefore refuses a start without a decision.
 */
export class TrustedFolder {
  /** The files that were decided about. */
  readonly #files: readonly string[];

  private constructor(files: readonly string[]) {
    this.#files = files;
  }

  /**
   * Resolves once the files are trusted. Without `trust`, the author of the program chose the folder.
   *
   * @throws ConfigError that lists the effects of the files.
   */
  static async require(trust: FolderTrust | undefined, files: readonly EffectiveFile[]): Promise<TrustedFolder> {
    await trust?.require(files);
    return new TrustedFolder(files.map(({ path }) => path));
  }

  get files(): readonly string[] {
    return this.#files;
  }
}
