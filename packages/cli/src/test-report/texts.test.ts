import { compareTestRuns, type TestRun, type TestRunHeadline } from "@bridle/app/tests";
import { expect, test } from "vitest";
import { createPaint } from "../terminal/paint.ts";
import { formatCase } from "./case-text.ts";
import { formatComparison } from "./comparison-text.ts";
import { formatHistory } from "./history-text.ts";
import { resultCommands } from "./result-commands.ts";
import { formatResult } from "./result-text.ts";
import { sampleFailure, sampleMetric, sampleRun, sampleTrial, sampleTurn } from "./sample-for-tests.ts";

const paint = createPaint({ isTTY: false, write() {}, columns: undefined }, {});
const page = (width: number) => ({ width, paint });
const commands = resultCommands("20261122-071501-k3f9", {});
const order = sampleTurn({
  input: "Where is order A-1001?",
  answer: "It has been shipped.",
  metrics: [sampleMetric({ name: 'contains "shipped"', outcome: "passed", score: 1 })],
});
const passed = sampleTrial({ case: "finds an order", turns: [order] });
const hours = sampleTurn({
  answer: "This is all that the handbook says:\nLamps can be returned within 30 days, in their box.",
  metrics: [sampleMetric()],
  transcript: [
    { kind: "user", text: "Are you open on Sundays?", attachments: [] },
    {
      kind: "call",
      callId: "c",
      tool: "handbook",
      input: { query: "Sundays" },
      state: "succeeded",
      output: "Lamps can be returned.",
      rule: null,
      step: 1,
      durationMs: 12,
    },
    { kind: "text", text: "This is all." },
  ],
});
const failed = sampleTrial({ outcome: "failed", turns: [hours], failures: [sampleFailure()] });
const run = sampleRun([passed, failed]);

/** Returns an invocation as a list shows it. */
function headlineOf({
  id,
  startedAt,
  endedAt,
  state,
  stop,
  plan,
  durationMs,
  summary,
  cases,
}: TestRun): TestRunHeadline {
  const { agent, instructions, backend, model, rehearsal, trials, git } = plan;
  const { passed, failed, errored, notRun, passRate, cost } = summary;
  return {
    id,
    startedAt,
    endedAt,
    state,
    stop,
    backend,
    model,
    rehearsal,
    trials,
    git,
    durationMs,
    agent: agent.name,
    instructions: instructions.version,
    passed,
    failed,
    errored,
    notRun,
    passRate,
    cost,
    cases: cases.map(({ name, outcome, flaky }) => ({ name, outcome, flaky })),
  };
}

const again = { ...failed, trial: 2 };
const thrice = [...[1, 2, 3].map((trial) => ({ ...passed, trial })), failed, again];
const flaky = sampleRun([...thrice, { ...passed, case: failed.case, trial: 3 }], { trials: 3 });

test("a failed case shows the question, the answer, the reason, and the commands to inspect it", () => {
  expect(formatResult(run, commands, page(80))).toBe(`✗ knows the opening hours (1.2 s)
  asked     Are you open on Sundays?
  answered  This is all that the handbook says:
            Lamps can be returned within 30 days, in their box.
  why       contains "closed": expected ≥ 1, got 0.
  see       bridle test show 20261122-071501-k3f9 --case "knows the opening hours"
            bridle replay run-1

Metric              mean  spread  threshold  passed
contains "shipped"  1.00       –     ≥ 1.00     1/1
contains "closed"   0.00       –     ≥ 1.00     0/1

1 of 2 cases passed, 1 failed
in 2.3 s; rehearsed by rehearsal.yaml, as model-1 on anthropic
See: bridle test show 20261122-071501-k3f9
`);
});

test("a result with a list begins with a line for each case", () => {
  expect(formatResult(run, commands, page(60), { withList: true })).toMatch(
    /^✓ finds an order \(1\.2 s\)\n✗ knows the opening hours \(1\.2 s\): contains "closed": expec…\n\n✗ knows/,
  );
  const interrupted = { reason: "interrupted", message: "Interrupted.", code: null } as const;
  const stopped = sampleRun([passed], { cases: ["finds an order", "another"] }, interrupted);
  const text = formatResult(stopped, commands, page(60), { withList: true });
  expect(text).toContain("\n· another: not run\n");
  expect(text).toContain("1 of 2 cases passed, 1 not run\n");
});

test("several trials show their pass rates, and flaky cases are named", () => {
  const text = formatResult(flaky, commands, page(80));
  expect(text).toMatch(/^✗ knows the opening hours \(1\.2 s\): 1 of 3 trials passed \(flaky\); this is trial 1\n/);
  expect(text).toContain('--case "knows the opening hours" --trial 1\n');
  expect(text).toContain(`
3 trials of each case, k =      1      2     3
one of k passes (pass@k)    66.7%  83.3%  100%
all of k pass (pass^k)      66.7%    50%   50%
1 case flaky:
  knows the opening hours: 1 of 3 trials passed
`);
  expect(text).toContain("1 of 2 cases passed, 1 failed, 1 flaky, 66.7% of the trials passed, 95% interval");
  expect(text).toContain("95% interval\nof the pass rate 15.9% to 95.5%\n");
});

test("a failed case with several turns shows the turn that failed", () => {
  const failures = [sampleFailure({ turn: 2, message: "Two." })];
  const turns = [order, sampleTurn({ input: "And now?", answer: " \n" })];
  const text = formatResult(sampleRun([{ ...failed, turns, failures }]), commands, page(80));
  expect(text).toContain("  asked     And now? (turn 2 of 2)\n  answered  nothing\n  why       Two.\n");
});

test("unexpected tool calls are shown beside the expected ones", () => {
  const failures = [
    sampleFailure({ kind: "expected-tools", message: "lookup was not called.", expected: "lookup {}" }),
  ];
  const text = formatResult(sampleRun([{ ...failed, failures }]), commands, page(80));
  expect(text).toContain('  called    handbook {"query":"Sundays"}\n');
  expect(text).toContain("  expected  lookup {}\n");
});

test("texts that differ late are shown from shortly before the difference", () => {
  const same = "one two three ".repeat(8);
  const failures = [sampleFailure({ message: "Not equal.", expected: `${same}four`, received: `${same}five` })];
  const turns = [sampleTurn({ answer: `${same}five` })];
  const text = formatResult(sampleRun([{ ...failed, turns, failures }]), commands, page(80));
  expect(text).toContain("\n  expected  …hree one two three four\n  received  …hree one two three five\n");
});

test("control characters are removed from every text", () => {
  const evil = "\u001b[2J\u0007\u202eevil";
  const turns = [sampleTurn({ answer: evil, input: evil, metrics: [sampleMetric({ name: evil, reason: evil })] })];
  const failures = [sampleFailure({ message: evil, expected: evil, received: evil })];
  const bad = sampleRun([{ ...failed, case: evil, turns, failures }], { model: evil });
  const [found] = bad.cases;
  const texts = [
    formatResult(bad, commands, page(80), { withList: true }),
    found ? formatCase(found, page(80)) : "",
    formatComparison(compareTestRuns(run, bad), page(80)),
  ];
  for (const text of texts) {
    expect(text).toContain("evil");
    expect(text.replaceAll("\n", "")).not.toMatch(/\p{Cc}|\u202e/u);
  }
});

test("a case shows its messages, calls and metrics", () => {
  const [, found] = run.cases;
  expect(found && formatCase(found, page(80))).toBe(`knows the opening hours: failed

✗ Trial 1: failed in 1.2 s
model-1, 1 step, 0 tokens, run run-1

> Are you open on Sundays?

→ handbook {"query":"Sundays"} (12 ms)
✓ Lamps can be returned.

This is all.

Metrics
  ✗ contains "closed": 0.00, passes ≥ 1.00

Why it did not pass
  ✗ contains "closed": expected ≥ 1, got 0.
`);
});

test("a comparison begins with the broken cases, and shows how the transcripts differ", () => {
  const before = { ...sampleRun([passed, { ...passed, case: failed.case }], { model: "model-2" }), id: "before" };
  const text = formatComparison(compareTestRuns(before, run), page(80));
  expect(text).toContain("Different settings\n  model: model-2 → model-1\n\n✗ Broken: knows the opening hours\n  @@ ");
  expect(text).toContain("\n  -  It has been shipped.\n  +  This is all.\n\nStill passing (1): finds an order\n\n");
  expect(text).toMatch(/\npass rate +100% +50% +−50% +−90\.5% to \+27\.3% +may be noise\n/);
});

test("a score just below its threshold is shown with the digits that fail, in results, cases and comparisons", () => {
  const runWith = (score: number) => {
    const metric = sampleMetric({ name: "narrow", score, threshold: 0.8, outcome: score < 0.8 ? "failed" : "passed" });
    return sampleRun([sampleTrial({ turns: [sampleTurn({ metrics: [metric] })] })]);
  };
  const narrow = runWith(0.79996);
  expect(formatResult(narrow, commands, page(80))).toMatch(/\nnarrow +0\.79996 .*≥ 0\.80 +0\/1\n/);
  expect(narrow.cases.map((each) => formatCase(each, page(80))).join()).toContain("✗ narrow: 0.79996, passes ≥ 0.80");
  const before = { ...runWith(0.8), id: "before" };
  expect(formatResult(before, commands, page(80))).toMatch(/\nnarrow +0\.80 .*≥ 0\.80 +1\/1\n/);
  const text = formatComparison(compareTestRuns(before, narrow), page(80));
  expect(text).toMatch(/\nnarrow +0\.80000 +0\.79996 +−0\.00004\b/);
});

test("results and comparisons show intervals, and say which metric is better or worse", () => {
  const scores = { steady: [0.5, 0.6, 0.7, 0.5, 0.6, 0.7], rising: [0.1, 0.2, 0.3, 0.1, 0.2, 0.3] };
  const runWith = (change: number, id: string) => {
    const trials = [0, 1, 2, 3, 4, 5].map((index) => {
      const noise = (index % 2 === 0 ? 1 : -1) * Math.sign(change) * 0.02;
      const metrics = [
        sampleMetric({ name: "steady", outcome: "passed", threshold: 0.1, score: (scores.steady[index] ?? 0) + noise }),
        sampleMetric({
          name: "rising",
          outcome: "passed",
          threshold: 0.1,
          score: (scores.rising[index] ?? 0) + change + noise,
        }),
      ];
      return sampleTrial({ case: `case ${index}`, turns: [sampleTurn({ metrics })] });
    });
    return { ...sampleRun(trials), id };
  };
  const [before, after] = [runWith(0, "before"), runWith(0.4, "after")];
  const text = formatResult(before, commands, page(80));
  expect(text).toMatch(/^Metric +mean +95% interval +spread +threshold +passed\n/);
  expect(text).toMatch(/\nsteady +0\.60 +0\.5\d to 0\.6\d +± 0\.09 +≥ 0\.10 +6\/6\n/);
  expect(text).toMatch(/6 of 6 cases passed, 95% interval of the pass rate 61% to 100%\n/);
  const better = formatComparison(compareTestRuns(before, after), page(80));
  expect(better).toMatch(/\nrising +0\.20 +0\.60 +\+0\.40 +\+0\.3\d to \+0\.4\d +better\n/);
  expect(better).not.toMatch(/\nsteady .* (?:better|worse)\n/);
  const worse = formatComparison(compareTestRuns(after, before), page(80));
  expect(worse).toMatch(/\nrising +0\.60 +0\.20 +−0\.40 +−0\.4\d to −0\.3\d +worse\n/);
});

test("the history has a line for each invocation, and a mark for each case and invocation", () => {
  const runs = [headlineOf(run), headlineOf(flaky), headlineOf(sampleRun([passed]))];
  const text = formatHistory(runs, page(80));
  expect(text).toMatch(/^20261122-071501-k3f9 {2}1970-01-01 \d\d:00, 1 of 2 cases passed, 2\.3 s\n {2}support-desk, /);
  expect(text).toContain("\n  ✓✓✓  finds an order\n   ~✗  knows the opening hours\n");
});
