/** A metric has no score for a turn. The message says why and what to do. */
export class NoScoreError extends Error {
  override readonly name = "NoScoreError";
}
