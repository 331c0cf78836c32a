/** The effects of a folder's files. The user decides whether a folder may have them. */

export const effectKinds = ["runs", "skips-questions", "sends", "reads"] as const;

/**
 * `runs`: starts a program or loads a module. `skips-questions`: lets tools run that the user would otherwise be asked
 * about. `sends`: opens a connection that the file chose. `reads`: takes a variable or a file from outside of the
 * folder.
 */
export type EffectKind = (typeof effectKinds)[number];

/** An effect without its place in a file. */
export interface EffectSummary {
  readonly kind: EffectKind;
  /** The effect as a clause in the words of the file, such as `node server.js`. It contains references, but no values of variables. */
  readonly subject: string;
}

/** One effect of a file. */
export interface FolderEffect extends EffectSummary {
  /** The path of its key, such as `tools.0`. */
  readonly field: string;
  /** Identifies the setting, also after other entries of its list were added or removed. Default: the field. */
  readonly key?: string | undefined;
  /** Everything that the trust covers: the setting as the file has it, and the content of modules. It is never shown. */
  readonly content: string;
  /** The files among the content, if it has any. */
  readonly loaded?: LoadedFiles | undefined;
  /** The same effect with the content that its files have now. Missing if no other file is part of the content. */
  readAgain?(): FolderEffect;
}

/** Files that an effect loads. */
export interface LoadedFiles {
  /** The rest of the content. */
  readonly setting: string;
  readonly files: readonly LoadedFile[];
  /** Whether a change of them may be an edit of the author. Files such as settings can have effects of their own. */
  readonly canBeEdited: boolean;
}

export interface LoadedFile {
  /** Absolute. */
  readonly path: string;
  /** Changes with every change of the file. */
  readonly hash: string;
}

/** A file with effects, such as `bridle.yaml` or an agent's file. */
export interface EffectiveFile {
  /** Absolute. */
  readonly path: string;
  readonly effects: readonly FolderEffect[];
  /**
   * Adopts the file once the user has decided to trust it. The file has no effects afterwards, and the decision needs no
   * record. Without this method, the decision is recorded for the path and the effects.
   */
  accept?(): Promise<void>;
}
