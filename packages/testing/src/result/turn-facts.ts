import type { MetricFacts } from "@bridle/protocol";
import type { Call, CallEntry } from "./call.ts";

/** The facts of a finished turn for metrics and graders. They are deeply frozen. */
export interface TurnFacts extends MetricFacts {
  readonly caseName: string;
  /** The number of the turn, from 1. */
  readonly turn: number;
  /** Values of the case for graders, from `turn_config`. Empty by default. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly calls: readonly Call[];
  readonly transcript: readonly CallEntry[];
}
