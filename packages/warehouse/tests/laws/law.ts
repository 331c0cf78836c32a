/** A sentence that is true of every connector, and the check of it. */
export interface Law {
  readonly title: string;
  /** Why this engine cannot keep it. */
  readonly skip?: string | undefined;
  hold(): Promise<void>;
}
