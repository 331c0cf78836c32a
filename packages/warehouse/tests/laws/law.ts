/** A sentence that is true for every connector, and its check. */
export interface Law {
  readonly title: string;
  /** The reason why this engine cannot keep it. */
  readonly skip?: string | undefined;
  hold(): Promise<void>;
}
