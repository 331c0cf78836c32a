/** The effects of a folder's files. The user decides whether a folder may have them. */

export const effectKinds = ["runs", "skips-questions", "sends", "reads"] as const;

/**
 * `runs` starts a program or loads a module. `skips-questions` lets tools run without asking the user. `sends` opens a connection to an
 * address in the file. `reads` uses a variable or a file from outside the folder.
 */
export type EffectKind = (typeof effectKinds)[number];

/** An effect without its place in a file. */
export interface EffectSummary {
  readonly kind: EffectKind;
  /** The effect as a clause in the file's wording, such as `node server.js`, with references to variables instead of their values. */
  readonly subject: string;
}

/** One effect of a file. */
export interface FolderEffect extends EffectSummary {
  /** The path of the effect's key, such as `tools.0`. */
  readonly field: string;
  /** Identifies the setting, even after other entries of its list were added or removed. Default: `field`. */
  readonly key?: string | undefined;
  /** Everything that the user's trust covers: the setting as written in the file, and the content of modules. Never shown. */
  readonly content: string;
  /** The files whose content is part of `content`, if any. */
  readonly loaded?: LoadedFiles | undefined;
  /** Returns the effect with the current content of its files. Missing if `content` includes no other file. */
  readAgain?(): FolderEffect;
}

/** Files that an effect loads. */
export interface LoadedFiles {
  /** The part of `content` that is not in these files. */
  readonly setting: string;
  readonly files: readonly LoadedFile[];
  /**
   * Whether a change of the files may count as the author's own edit. False for files such as settings, which can have effects themselves.
   */
  readonly canBeEdited: boolean;
}

export interface LoadedFile {
  /** The absolute path. */
  readonly path: string;
  /** A hash that changes with every change of the file. */
  readonly hash: string;
}

/** A file with effects, such as `bridle.yaml` or an agent file. */
export interface EffectiveFile {
  /** The absolute path. */
  readonly path: string;
  readonly effects: readonly FolderEffect[];
  /**
   * Adopts the file after the user has decided to trust it. Afterwards the file has no effects, so the decision needs no record. Without
   * this method, the decision is recorded for the path and the effects.
   */
  accept?(): Promise<void>;
}
