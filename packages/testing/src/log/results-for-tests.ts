import type { TestPlan } from "../result/test-plan.ts";
import type { MetricResult, TrialResult, TurnResult } from "../result/trial-result.ts";

const usage = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** Creates a plan of the cases "order" and "hours", each once. */
export function planOf(changes: Partial<TestPlan> = {}): TestPlan {
  return {
    agent: { name: "desk", file: "agent.yaml", description: null },
    backend: "anthropic",
    model: "claude-sonnet-5",
    rehearsal: null,
    cases: ["order", "hours"],
    trials: 1,
    parallel: 4,
    failFast: false,
    allowSideEffects: false,
    fingerprint: "f",
    contents: {},
    caseContents: {},
    instructions: { version: "1", sha256: "0".repeat(64) },
    git: { commit: "c0ffee0", dirty: false },
    versions: { bridle: "0.1.0" },
    configuration: { name: "desk", steps: 5 },
    rules: null,
    ...changes,
  };
}

/** Creates a trial of one turn that passed. */
export function trialOf(changes: Partial<TrialResult> & { turn?: Partial<TurnResult> } = {}): TrialResult {
  const { turn, ...own } = changes;
  return {
    case: "order",
    trial: 1,
    outcome: "passed",
    startedAt: 1_000,
    durationMs: 900,
    sessionId: null,
    turns: [turnOf(turn)],
    failures: [],
    ...own,
  };
}

export function turnOf(changes: Partial<TurnResult> = {}): TurnResult {
  return {
    input: "Where is it?",
    files: [],
    groundTruth: null,
    answer: "It has shipped.",
    object: null,
    runId: "run_1",
    stopReason: "natural",
    model: "claude-sonnet-5",
    steps: 2,
    durationMs: 800,
    usage,
    cost: { usd: 0.01, estimate: false },
    transcript: [
      { kind: "user", text: "Where is it?", attachments: [] },
      { kind: "text", text: "It has shipped." },
    ],
    retrievalContext: [],
    expectedTools: [],
    metrics: [],
    ...changes,
  };
}

/** Creates a metric that passed with the score 1. */
export function metricOf(changes: Partial<MetricResult> = {}): MetricResult {
  return {
    name: "rougeL",
    type: "standard",
    metric: "rougeL",
    outcome: "passed",
    score: 1,
    threshold: 0.5,
    passes: "at-least",
    unit: null,
    reason: null,
    expected: null,
    received: null,
    durationMs: 1,
    judgement: null,
    evidence: null,
    ...changes,
  };
}
