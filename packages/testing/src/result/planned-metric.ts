import type { MetricScore } from "@bridle/protocol";
import type { Judgement, MetricResult } from "./trial-result.ts";
import type { TurnFacts } from "./turn-facts.ts";

/** The score of a metric and, for a judged metric, the judge's usage. */
export interface Scored extends Omit<MetricScore, "evidence"> {
  readonly evidence?: unknown;
  readonly judgement?: Judgement | undefined;
}

/** A metric that is ready to score a turn. */
export interface PlannedMetric
  extends Pick<MetricResult, "name" | "type" | "metric" | "threshold" | "passes" | "unit"> {
  /**
   * Contract: resolves with a score, or rejects with a MetricError whose message contains the reason and the remedy. A BridleError that
   * concerns the whole invocation (a used-up window, a rejected login) is passed on unchanged.
   */
  score(facts: TurnFacts, signal: AbortSignal): Promise<Scored>;
}

/** Thrown if a metric could not run. Its test fails with this message. */
export class MetricError extends Error {
  override readonly name = "MetricError";
  /** The judge's usage before the failure. It has to be paid. */
  readonly judgement: Judgement | undefined;

  constructor(message: string, options: ErrorOptions & { judgement?: Judgement | undefined } = {}) {
    super(message, options);
    this.judgement = options.judgement;
  }
}
