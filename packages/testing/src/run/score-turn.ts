import { passes } from "@bridle/metrics";
import { type ErrorReport, getErrorMessage, isBridleError } from "@bridle/protocol";
import { MetricError, type PlannedMetric, type Scored } from "../result/planned-metric.ts";
import { type Failure, type Judgement, type MetricResult, metricResultSchema } from "../result/trial-result.ts";
import type { TurnFacts } from "../result/turn-facts.ts";
import { errorScope } from "./error-scope.ts";
import { preciseScore } from "./precise-score.ts";

export interface ScoredTurn {
  readonly metrics: readonly MetricResult[];
  readonly failures: readonly Failure[];
}

interface Checked {
  readonly metric: MetricResult;
  readonly failure?: Failure;
}

/**
 * Scores a turn with all of its metrics in parallel. If a metric throws, only this metric fails. Only an error that concerns the whole
 * invocation (a used-up window, a refused login) rejects, after the other metrics have ended.
 */
export async function scoreTurn(
  planned: readonly PlannedMetric[],
  facts: TurnFacts,
  signal: AbortSignal,
): Promise<ScoredTurn> {
  const settled = await Promise.allSettled(planned.map((each) => scoreOne(each, facts, signal)));
  const checked = settled.map((each) => {
    if (each.status === "rejected") throw each.reason;
    return each.value;
  });
  return { metrics: checked.map(({ metric }) => metric), failures: checked.flatMap(({ failure }) => failure ?? []) };
}

async function scoreOne(planned: PlannedMetric, facts: TurnFacts, signal: AbortSignal): Promise<Checked> {
  const started = performance.now();
  const ended = (rest: Partial<MetricResult>): MetricResult => ({
    ...describe(planned),
    ...rest,
    durationMs: Math.round(performance.now() - started),
  });
  try {
    const scored = await planned.score(facts, signal);
    requireScore(planned, scored);
    return compareScore(planned, ended(resultOf(planned, scored)), facts.turn);
  } catch (error) {
    if (isBridleError(error) && errorScope(error) === "invocation") throw error;
    const judgement = error instanceof MetricError ? (error.judgement ?? null) : null;
    const metric = ended({ outcome: "errored", reason: getErrorMessage(error), judgement });
    return { metric, failure: errorOf(metric, error, facts.turn) };
  }
}

function describe({ name, type, metric, threshold, passes, unit }: PlannedMetric): MetricResult {
  return {
    name,
    type,
    metric,
    threshold,
    passes,
    unit,
    outcome: "errored",
    score: null,
    reason: null,
    expected: null,
    received: null,
    durationMs: 0,
    judgement: null,
    evidence: null,
  };
}

/** Checks a score. Throws MetricError if it is invalid. */
function requireScore({ unit }: PlannedMetric, { score, judgement }: Scored): void {
  const max = unit === null ? 1 : Number.POSITIVE_INFINITY;
  if (Number.isFinite(score) && score >= 0 && score <= max) return;
  const range = unit === null ? "from 0 to 1" : "of 0 or more";
  throw new MetricError(
    `it returned ${String(score)}, which is not a score ${range}. Correct the metric.`,
    judgementOf(judgement),
  );
}

function judgementOf(judgement: Judgement | undefined): { judgement?: Judgement } {
  return judgement === undefined ? {} : { judgement };
}

function resultOf({ passes: direction, threshold }: PlannedMetric, scored: Scored): Partial<MetricResult> {
  const { score, reason = null, expected = null, received = null, evidence, judgement = null } = scored;
  const outcome = passes(score, threshold, direction) ? "passed" : "failed";
  return {
    outcome,
    score,
    reason,
    expected,
    received,
    judgement,
    evidence: evidence === undefined ? null : jsonOf(evidence),
  };
}

/** Checks the evidence. Throws if it is not JSON. */
function jsonOf(evidence: unknown): MetricResult["evidence"] {
  return metricResultSchema.shape.evidence.parse(JSON.parse(JSON.stringify(evidence)));
}

function compareScore({ passes: direction }: PlannedMetric, metric: MetricResult, turn: number): Checked {
  const { score, threshold, unit, name, reason, expected, received } = metric;
  if (metric.outcome === "passed" || score === null) return { metric };
  const sign = direction === "at-least" ? "≥" : "≤";
  const expectation = `expected ${sign} ${preciseScore(threshold, unit, score)}, got ${preciseScore(score, unit, threshold)}`;
  const message = joinSentences(`${name}: ${expectation}`, reason);
  return { metric, failure: { kind: "metric", message, turn, expected, received, code: null } };
}

function errorOf({ name }: MetricResult, error: unknown, turn: number): Failure {
  const report = hostErrorOf(error);
  const kind = report !== undefined && errorScope(report) === "host" ? "backend" : "metric-error";
  const message = joinSentences(`${name} could not run: ${getErrorMessage(error)}`, null);
  return { kind, message, turn, expected: null, received: null, code: report?.code ?? null };
}

/** Returns the host's error: the error itself, or the cause of a MetricError. */
function hostErrorOf(error: unknown): ErrorReport | undefined {
  if (isBridleError(error)) return error;
  return error instanceof MetricError && isBridleError(error.cause) ? error.cause : undefined;
}

function joinSentences(first: string, second: string | null): string {
  const whole = /[.!?…]$/.test(first.trimEnd()) ? first : `${first}.`;
  return second === null || second.trim() === "" ? whole : `${whole} ${second.trim()}`;
}
