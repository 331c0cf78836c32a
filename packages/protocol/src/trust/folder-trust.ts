import type { EffectiveFile, EffectSummary, FolderEffect } from "./folder-effect.ts";

/** Whether a file is trusted as it is now. */
export interface TrustedState {
  readonly path: string;
  /** True for a file without effects. */
  readonly isTrusted: boolean;
  readonly effects: readonly FolderEffect[];
  /** The effects that are not trusted. */
  readonly added: readonly FolderEffect[];
  /** The effects that were trusted earlier and are different now, or gone; empty if the file was never trusted. */
  readonly former: readonly EffectSummary[];
  /** Whether the file was trusted with other effects. */
  readonly isChanged: boolean;
  /** The loaded files with content that is not trusted; missing if there are none. */
  readonly changes?: readonly LoadedFileChange[] | undefined;
}

/** A file that changed since it was trusted. */
export interface LoadedFileChange {
  readonly path: string;
  /** Why the change does not count as an edit of the folder's author, as a clause; missing in a folder without one. */
  readonly reason?: string | undefined;
  /** Lines of a difference, such as `- old` and `+ new`; empty if the earlier content is not known or not shown. */
  readonly difference: readonly string[];
}

/**
 * Decides whether the effects of files are allowed. The command has one that asks the user at the terminal once for each
 * content. A program passes its own, or none if its author chose the folder.
 */
export interface FolderTrust {
  /** The state of each file. Never asks the user. Also called before a program starts later, if its files have changed. */
  check(files: readonly EffectiveFile[]): Promise<readonly TrustedState[]>;
  /**
   * Resolves if every file is trusted. May ask the user first.
   *
   * @throws ConfigError that lists the effects of the files.
   */
  require(files: readonly EffectiveFile[]): Promise<void>;
  /** Called when the process no longer uses any of the files. Records the changes that runs made in them. */
  close?(): Promise<void>;
}
