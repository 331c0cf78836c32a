import {
  type Failure,
  foldTestRun,
  type MetricResult,
  type TestPlan,
  type TestRun,
  type TrialResult,
  type TurnResult,
} from "@bridle/app/tests";
import { noUsage } from "@bridle/protocol";

/** Returns a sample plan with the changes that a test needs. */
export function samplePlan(changes: Partial<TestPlan> = {}): TestPlan {
  return {
    agent: { name: "support-desk", file: "agent.yaml", description: null },
    backend: "anthropic",
    model: "model-1",
    rehearsal: "rehearsal.yaml",
    cases: ["finds an order", "knows the opening hours"],
    trials: 1,
    parallel: 4,
    failFast: false,
    allowSideEffects: false,
    fingerprint: "f",
    contents: {},
    caseContents: {},
    instructions: { version: "auto-1234", sha256: "1234" },
    git: null,
    versions: {},
    configuration: {},
    rules: null,
    ...changes,
  };
}

export function sampleMetric(changes: Partial<MetricResult> = {}): MetricResult {
  return {
    name: 'contains "closed"',
    type: "standard",
    metric: "contains",
    outcome: "failed",
    score: 0,
    threshold: 1,
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

export function sampleTurn(changes: Partial<TurnResult> = {}): TurnResult {
  const input = changes.input ?? "Are you open on Sundays?";
  const answer = changes.answer ?? "This is all that the handbook says.";
  return {
    input,
    answer,
    files: [],
    groundTruth: null,
    object: null,
    runId: "run-1",
    stopReason: "natural",
    model: "model-1",
    steps: 1,
    durationMs: 900,
    usage: noUsage,
    cost: null,
    transcript: [
      { kind: "user", text: input, attachments: [] },
      { kind: "text", text: answer },
    ],
    retrievalContext: [],
    expectedTools: [],
    metrics: [],
    ...changes,
  };
}

export function sampleFailure(changes: Partial<Failure> = {}): Failure {
  return {
    kind: "metric",
    message: 'contains "closed": expected ≥ 1, got 0.',
    turn: 1,
    expected: "closed",
    received: null,
    code: null,
    ...changes,
  };
}

export function sampleTrial(changes: Partial<TrialResult> = {}): TrialResult {
  return {
    case: "knows the opening hours",
    trial: 1,
    outcome: "passed",
    startedAt: 0,
    durationMs: 1234,
    sessionId: null,
    turns: [sampleTurn()],
    failures: [],
    ...changes,
  };
}

/** Creates a finished test run. `stop` is the reason if the run was stopped. */
export function sampleRun(trials: readonly TrialResult[], plan: Partial<TestPlan> = {}, stop: TestRun["stop"] = null) {
  const cases = [...new Set(trials.map((each) => each.case))];
  return foldTestRun([
    { type: "begun", version: 1, time: 0, id: "20261122-071501-k3f9", plan: samplePlan({ cases, ...plan }) },
    ...trials.map((result) => ({ type: "trial", time: 1000, result }) as const),
    { type: "ended", time: 2300, stop },
  ]);
}
