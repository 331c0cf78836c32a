import type { TurnFacts } from "./turn-facts.ts";

/**
 * What a grader says of a turn: a share from 0 to 1, or whether it is good, which is 1 or 0. A `passed` beside a score is
 * held against the threshold: where they differ, the metric fails as one that could not run.
 */
export type Grade =
  | number
  | boolean
  | { score: number; reason?: string; passed?: boolean }
  | { passed: boolean; reason?: string };

/**
 * A function of yours that judges a turn.
 *
 * Contract: changes nothing of what it is given, which is frozen; ends within a minute, or when `signal` is aborted; throws
 * where it cannot judge, which fails the test.
 */
export type Grader = (facts: TurnFacts, context: { readonly signal: AbortSignal }) => Grade | Promise<Grade>;
