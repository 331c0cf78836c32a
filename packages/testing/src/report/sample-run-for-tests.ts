/** Creates realistic runs with every kind of failure. The same options give the same run. */
import { foldTestRun } from "../log/fold-test-run.ts";
import type { Call, CallEntry } from "../result/call.ts";
import type { TestPlan } from "../result/test-plan.ts";
import { type TestRun, testRunSchema } from "../result/test-run.ts";
import {
  type Failure,
  type FailureKind,
  failureKinds,
  type MetricResult,
  type TrialResult,
  type TurnResult,
} from "../result/trial-result.ts";

export interface SampleOptions {
  readonly cases: number;
  readonly trials?: number;
  /** Whether to add markup, control characters and other text that could break a report to every string. */
  readonly hostile?: boolean;
}

/** A script that changes `document.title` if it runs, and other markup. */
export const hostileText = [
  `</script><script>document.title = "injected"</script><img src=x onerror="document.title = 'injected'">`,
  `</title></style></pre></details> ]]> --> | \`code\` **bold** @octocat #1 https://example.com [link](javascript:alert(1))`,
  `&amp; "double" 'single' <b>\u0000\u0007\u001b[31m\u007f\u202e\ud800\ufffe\r\n| a | b |\n~~~\n\`\`\`\`\n# not a heading`,
].join(" ");

type Fate = "passed" | "flaky" | "not-run" | FailureKind;
const firstFates: readonly Fate[] = ["passed", "flaky", "passed", ...failureKinds, "passed", "not-run"];

const titles = [
  "finds an order by its number",
  "answers in the language of the question",
  "asks for the order number where it is missing",
  "greets with the name of the shop",
  "tests nothing at all",
  "looks up the order before it answers",
  "cancels through the tool that was renamed",
  "cancels by the number of the order",
  "refunds without asking a person",
  "says when the parcel arrives",
  "is judged to be helpful",
  "compares three orders in one answer",
  "waits for a slow warehouse",
  "reads an invoice from a file",
  "answers although the warehouse is closed",
  "keeps to the house style: Größe, 数量, ناقل, 🚚",
  "explains how to return a parcel",
  "sums up a long conversation with code",
] as const;

const noUsage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
const begin = Date.UTC(2026, 2, 14, 9, 26, 53);

/** Returns a number from 0 to 1 that depends only on the given numbers. */
function noise(...seeds: readonly number[]): number {
  const mixed = seeds.reduce((state, seed) => (Math.imul(state ^ (seed + 1), 0x9e3779b1) >>> 0) + 0x7f4a7c15, 17);
  return ((Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b) >>> 0) % 10_000) / 10_000;
}

export function sampleRun({ cases: amount, trials = 1, hostile = false }: SampleOptions): TestRun {
  const text = (plain: string) => (hostile ? `${plain} ${hostileText}` : plain);
  const names = Array.from({ length: amount }, (_, index) => nameOf(index, text));
  const results = names.flatMap((name, index) => sampleTrials(index, name, trials, text));
  const stopped = results.length < amount * trials;
  const message = text("Stopped by Ctrl-C. Run again with --resume for the rest.");
  const ended = begin + 93_400;
  const run = foldTestRun([
    { type: "begun", version: 1, time: begin, id: "20260314-092653-k3v9", plan: planOf(names, trials, text) },
    ...results.map((result) => ({ type: "trial", time: ended, result }) as const),
    { type: "ended", time: ended, stop: stopped ? { reason: "interrupted", message, code: null } : null },
  ]);
  return testRunSchema.parse(run);
}

function planOf(cases: string[], trials: number, text: Text): TestPlan {
  return {
    agent: { name: text("order-desk"), file: "agent.yaml", description: text("Answers questions about orders") },
    backend: "claude-code",
    model: text("sonnet"),
    rehearsal: null,
    cases,
    trials,
    parallel: 8,
    failFast: false,
    allowSideEffects: false,
    fingerprint: "9f1c0b7ad0e4",
    contents: { "tools.ts": "4f5e6d7c8b9a" },
    caseContents: {},
    instructions: { version: text("1.4.0"), sha256: "0d6f1c9a".repeat(8) },
    git: { commit: "6996bfc1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f6a7", dirty: true },
    versions: { bridle: "0.1.0", node: "24.21.0", "claude-code": "2.1.330" },
    configuration: { name: "order-desk", model: { provider: "claude-code", name: "sonnet" }, note: text("$TOKEN") },
    rules: { mode: "normal" },
  };
}

type Text = (plain: string) => string;

function fateOf(index: number): Fate {
  if (index < 20) return firstFates[index % firstFates.length] ?? "passed";
  if (noise(index, 3) > 0.12) return "passed";
  return noise(index, 4) > 0.8 ? "flaky" : ((["metric", "expected-tools", "timeout"] as const)[index % 3] ?? "metric");
}

/** Returns a unique name, because two cases with the same name would be one case. */
function nameOf(index: number, text: Text): string {
  const title = titleOf(index);
  return text(index < titles.length ? title : `${title} (${index + 1})`);
}

function titleOf(index: number): (typeof titles)[number] {
  return titles[index % titles.length] ?? titles[0];
}

function sampleTrials(index: number, name: string, trials: number, text: Text): TrialResult[] {
  const fate = fateOf(index);
  return Array.from({ length: fate === "not-run" ? 0 : trials }, (_, trial) => {
    if (fate === "flaky" && trials > 1 && trial % 3 !== 1) return sampleTrial(index, trial + 1, name, null, text);
    const kind = fate === "passed" || fate === "not-run" ? null : fate === "flaky" ? "metric" : fate;
    return sampleTrial(index, trial + 1, name, kind, text);
  });
}

function sampleTrial(
  index: number,
  trial: number,
  name: string,
  kind: Failure["kind"] | null,
  text: Text,
): TrialResult {
  const turns = kind === "setup" ? 0 : index % 7 === 2 ? 3 : 1;
  const made = Array.from({ length: turns }, (_, turn) =>
    sampleTurn(index, trial, turn, turn === turns - 1 ? kind : null, text),
  );
  return {
    case: name,
    trial,
    outcome: kind === null ? "passed" : kind === "backend" ? "errored" : "failed",
    startedAt: begin + index * 700,
    durationMs: made.reduce((sum, { durationMs }) => sum + durationMs, 3),
    sessionId: turns > 1 ? `session-${index}-${trial}` : null,
    turns: made,
    failures: kind === null ? [] : failuresOf(kind, turns, text),
  };
}

const messages: Record<FailureKind, [message: string, expected?: string | undefined, received?: string]> = {
  "empty-answer": ["The agent said nothing in turn 1. See the transcript for what it did instead."],
  "no-checks": ["The case has neither a metric nor expected_tools, so nothing was tested. Give it one of them."],
  "expected-tools": [
    "lookup_order was called with another id. Look at what the question says.",
    'lookup_order { id: "A-1001" }',
    'lookup_order { id: "A-1010" }',
  ],
  "unknown-argument": [
    'expected_tools names a call of lookup that is not possible: the argument idd does not exist. Did you mean "id"?',
    "lookup",
  ],
  "unknown-tool": ["expected_tools names cancel, which the agent does not have. Did you mean cancel_order?", "cancel"],
  "tool-denied": [
    "refund was denied: it is destructive. Expect it, or run with --allow-side-effects.",
    undefined,
    "refund",
  ],
  metric: ['contains "shipped": expected ≥ 1, got 0.', "shipped", "Your order is still being packed."],
  "metric-error": ["helpful could not be judged: no model has the role judge. Set evaluations.model."],
  "out-of-steps": ["The agent used up its 12 steps. Raise limits.steps, or see in the transcript what it repeats."],
  timeout: ["The run took longer than 60 s (execution.llm_timeout)."],
  setup: ["invoice.pdf cannot be read: no such file. It is named by files of the case."],
  run: ["The run ended with ToolLoopError: the same call came five times."],
  backend: ["The host answered 529 (overloaded) six times. Run again with --resume."],
};

function failuresOf(kind: FailureKind, turns: number, text: Text): Failure[] {
  const [message, expected, received] = messages[kind];
  const optional = (value: string | undefined) => (value === undefined ? null : text(value));
  const code = kind === "backend" ? "backend.overloaded" : null;
  return [
    {
      kind,
      message: text(message),
      turn: turns || null,
      expected: optional(expected),
      received: optional(received),
      code,
    },
  ];
}

const longAnswer = `# Comparison\n\n${"Order A-1001 left the warehouse in Köln on Monday and is on its way. ".repeat(60)}

\`\`\`ts
export const total = orders.reduce((sum, { price }) => sum + price, 0); // 数量 × 価格
\`\`\`
`;

function sampleTurn(index: number, trial: number, turn: number, kind: FailureKind | null, text: Text): TurnResult {
  const answer = kind === "empty-answer" ? "" : text(answerOf(index, kind));
  const input = text(turn === 0 ? `Where is order A-${1001 + index}?` : "And when does it arrive?");
  const durationMs = Math.round(600 + noise(index, trial, turn) * 5200 + (kind === "timeout" ? 60_000 : 0));
  const callOk = kind !== "expected-tools";
  const expected = `lookup_order { id: "A-${1001 + index}" }`;
  const message = callOk ? null : text("lookup_order was called with another id.");
  return {
    input,
    answer,
    object: null,
    groundTruth: turn === 0 ? text("It has shipped.") : null,
    files: kind === "setup" || titleOf(index) === "reads an invoice from a file" ? [text("invoice.pdf")] : [],
    runId: `run-${index}-${trial}-${turn}`,
    stopReason: kind === "out-of-steps" ? "budget" : kind === "run" || kind === "backend" ? "error" : "natural",
    model: "claude-sonnet-5",
    steps: kind === "out-of-steps" ? 12 : 2,
    durationMs,
    usage: { inputTokens: 1200 + index, outputTokens: 90 + trial, cacheReadTokens: 800, cacheWriteTokens: 12 },
    cost: kind === "backend" ? null : { usd: 0.0031 + noise(index, trial) * 0.01, estimate: true },
    transcript: transcriptOf(index, input, answer, kind, text),
    retrievalContext: index % 5 === 0 ? [text("Parcels take two days."), text("Returns are free for 30 days.")] : [],
    expectedTools: turn === 0 ? [{ expected: text(expected), ok: callOk, message }] : [],
    metrics: kind === "no-checks" ? [] : metricsOf(index, trial, turn, kind, durationMs, text),
  };
}

function answerOf(index: number, kind: FailureKind | null): string {
  if (kind === "metric") return "Your order is still being packed.";
  return titleOf(index) === "sums up a long conversation with code"
    ? longAnswer
    : "It has shipped, and arrives on Tuesday.";
}

function transcriptOf(index: number, input: string, answer: string, kind: FailureKind | null, text: Text): CallEntry[] {
  const call: Omit<Call, "tool" | "input" | "state"> = {
    kind: "call",
    callId: `call-${index}`,
    output: text(`{"id":"A-1001","state":"shipped","carrier":"DHL"}`),
    rule: "handed over",
    step: 1,
    durationMs: 38,
  };
  const denied: CallEntry[] =
    kind === "tool-denied"
      ? [{ ...call, tool: "refund", input: { amount: 20 }, state: "denied", output: text("Denied: destructive.") }]
      : [];
  return [
    {
      kind: "user",
      text: input,
      attachments: titleOf(index) === "reads an invoice from a file" ? [text("invoice.pdf")] : [],
    },
    { kind: "reasoning", text: text("The order has to be looked up first.") },
    { ...call, tool: "lookup_order", input: { id: "A-1001", note: text("first") }, state: "succeeded" },
    ...denied,
    ...(answer === "" ? [] : [{ kind: "text", text: answer } satisfies CallEntry]),
  ];
}

function metricsOf(
  index: number,
  trial: number,
  turn: number,
  kind: FailureKind | null,
  ms: number,
  text: Text,
): MetricResult[] {
  const common = {
    passes: "at-least",
    unit: null,
    expected: null,
    received: null,
    durationMs: 2,
    judgement: null,
    evidence: null,
  } as const;
  const share = (value: number, threshold: number) =>
    ({ score: value, threshold, outcome: value < threshold ? "failed" : "passed" }) as const;
  const contains = share(kind === "metric" ? 0 : 1, 1);
  const wanted =
    kind === "metric" ? { expected: text("shipped"), received: text("Your order is still being packed.") } : {};
  const helpful = share(0.72 + noise(index, trial, turn, 5) * 0.28, 0.7);
  const usage = { ...noUsage, inputTokens: 640, outputTokens: 70 };
  const judgement = {
    backend: "claude-code",
    model: "claude-haiku-5",
    runIds: [`judge-${index}`],
    usage,
    cost: { usd: 0.0007, estimate: true },
  };
  const evidence = {
    verdicts: [{ claim: text("It has shipped."), verdict: "yes", because: text("The context says so.") }],
  };
  const judged = kind === "metric-error" ? ({ score: null, outcome: "errored", threshold: 0.7 } as const) : helpful;
  const why = kind === "metric-error" ? "No model has the role judge." : "It answers the question, and names the day.";
  return [
    {
      ...common,
      name: text('contains "shipped"'),
      type: "standard",
      metric: "contains",
      reason: null,
      ...contains,
      ...wanted,
    },
    {
      ...common,
      name: text("rougeL"),
      type: "standard",
      metric: "rougeL",
      reason: null,
      ...share(0.45 + noise(index, trial, 6) * 0.5, 0.4),
    },
    {
      ...common,
      name: text("helpful"),
      type: "geval",
      metric: "geval",
      reason: text(why),
      ...judged,
      judgement,
      evidence,
    },
    { ...common, name: "latency", type: "standard", metric: "latency", reason: null, ...latency(ms) },
  ];
}

function latency(ms: number) {
  const outcome = ms > 70_000 ? "failed" : "passed";
  return { score: ms / 1000, threshold: 70, unit: "seconds", passes: "at-most", outcome } as const;
}
