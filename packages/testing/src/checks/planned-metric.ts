import type { Judgement, MetricResult } from "../result/trial-result.ts";
import type { TurnFacts } from "./turn-facts.ts";

/** What a metric gives. */
export interface Scored {
  readonly score: number;
  readonly reason?: string;
  readonly expected?: string;
  readonly received?: string;
  readonly evidence?: unknown;
  readonly judgement?: Judgement;
}

/** A metric of a turn, ready to be used. */
export interface PlannedMetric
  extends Pick<MetricResult, "name" | "type" | "metric" | "threshold" | "passes" | "unit"> {
  /**
   * Contract: resolves with a score, or rejects with a MetricError whose message says why there is none, and what to do.
   * A BridleError of the host (a used-up window, a refused login) passes through as it is.
   */
  score(facts: TurnFacts, signal: AbortSignal): Promise<Scored>;
}

/** Why a metric could not run. Its test fails with this. */
export class MetricError extends Error {
  override readonly name = "MetricError";
  /** What models were used meanwhile: it is paid for all the same. */
  readonly judgement: Judgement | undefined;

  constructor(message: string, options: ErrorOptions & { judgement?: Judgement } = {}) {
    super(message, options);
    this.judgement = options.judgement;
  }
}
