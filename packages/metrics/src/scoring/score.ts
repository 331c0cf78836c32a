import type { MetricScore } from "@bridle/protocol";

/** The score of a text metric, from 0 to 1, and the reason unless the score explains itself. */
export type Score = Pick<MetricScore, "score" | "reason">;
