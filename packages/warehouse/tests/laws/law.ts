/** A sentence that is true of every connector, and a function that checks it. */
export interface Law {
  readonly title: string;
  /** The reason why this engine cannot keep the law. The law is then skipped. */
  readonly skip?: string | undefined;
  hold(): Promise<void>;
}
