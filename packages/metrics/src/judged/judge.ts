/** What metrics that a model judges have in common. They are prompts, forms of answers and formulas; who asks is handed in. */
import type { JsonValue } from "@bridle/protocol";
import type { z } from "zod";

/** What a judge is asked. */
export interface Question<T> {
  readonly system: string;
  readonly prompt: string;
  /** The form of the answer; what does not fit is no answer. */
  readonly schema: z.ZodType<T>;
}

/** Contract: resolves with what fits the schema, or rejects with the reason why there is no such answer. */
export type Judge = <T>(question: Question<T>) => Promise<T>;

/** What is judged. */
export interface JudgedFacts {
  readonly input: string;
  readonly answer: string;
  readonly groundTruth?: string;
  /** The retrieved passages, best first. */
  readonly retrievalContext: readonly string[];
}

export interface Judged {
  /** From 0 to 1. */
  readonly score: number;
  /** Missing where none was asked for. */
  readonly reason?: string;
  /** What the score was made from, such as verdicts on single claims. */
  readonly evidence: JsonValue;
}

export interface ReasonOptions {
  /** Whether the judge says why. Default: true. */
  readonly includeReason?: boolean;
}

/** A metric that a model judges. Rejects with a NotJudgedError, or with what the judge rejects with. */
export type JudgedMetric = (facts: JudgedFacts, judge: Judge) => Promise<Judged>;

/** Why there is nothing that a score could be made from: reason and remedy. */
export class NotJudgedError extends Error {
  override readonly name = "NotJudgedError";
}
