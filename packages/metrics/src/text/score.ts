/** What a metric of text gives. */
export interface Score {
  /** From 0 to 1. */
  readonly score: number;
  /** Why it is what it is, in words; missing where the score says it all. */
  readonly reason?: string;
}
