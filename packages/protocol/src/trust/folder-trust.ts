import type { EffectiveFile, EffectSummary, FolderEffect } from "./folder-effect.ts";

/** Whether a file is trusted as it is now. */
export interface TrustedState {
  readonly path: string;
  /** True for a file without effects. */
  readonly isTrusted: boolean;
  readonly effects: readonly FolderEffect[];
  /** The effects that are not trusted. */
  readonly added: readonly FolderEffect[];
  /** The effects that were trusted earlier and have changed or are gone. Empty if the file was never trusted. */
  readonly former: readonly EffectSummary[];
  /** Whether the file was trusted with other effects. */
  readonly isChanged: boolean;
  /** The loaded files with untrusted content. Missing if there are none. */
  readonly changes?: readonly LoadedFileChange[] | undefined;
}

/** A file that changed since it was trusted. */
export interface LoadedFileChange {
  readonly path: string;
  /** Why the change does not count as an edit by the folder's author, as a clause. Missing if the folder has no author. */
  readonly reason?: string | undefined;
  /** The lines of a difference, such as `- old` and `+ new`. Empty if the earlier content is not known or not shown. */
  readonly difference: readonly string[];
}

/**
 * Decides whether the effects of files are allowed. The command's implementation asks the user at the terminal, once for each content. A
 * program passes its own implementation, or none if its author chose the folder.
 */
export interface FolderTrust {
  /** Returns the state of each file. Never asks the user. Also called later, before a program starts, if its files have changed. */
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
