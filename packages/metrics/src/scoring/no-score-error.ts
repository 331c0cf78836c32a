/** Thrown if a metric has no score for a turn. The message states the reason and the remedy. */
export class NoScoreError extends Error {
  override readonly name = "NoScoreError";
}
