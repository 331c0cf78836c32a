/** Tests graders in Python, in a real process. */
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRedactor } from "@bridle/core";
import { TrustedFolder } from "@bridle/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TurnFacts } from "../result/turn-facts.ts";
import { factsForTests } from "./facts-for-tests.ts";
import { MetricPlanner } from "./metric-planner.ts";

const trusted = await TrustedFolder.require(undefined, []);

const graders = `from holodeck.lib.test_runner.code_grader import GraderContext, GraderResult

def called_with(ctx: GraderContext) -> GraderResult:
    wanted = ctx.turn_config["a"]
    for each in ctx.tool_invocations:
        if each.name == "subtract" and each.args.get("a") == wanted and each.error is None:
            return GraderResult(score=1.0, passed=True, reason=f"turn {ctx.turn_index} of {ctx.test_case_name}", details={"n": 1})
    return GraderResult(score=0.0, passed=False, reason="not called")

def share(ctx): return 0.25
def same(ctx): return ctx.agent_response == ctx.ground_truth
def names(ctx): return {"score": 0.5, "reason": ",".join(ctx.retrieval_context)}
def broken(ctx): raise ValueError("no program")
def wrong(ctx): return "good"
def slow(ctx):
    import time
    time.sleep(60)
`;

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bridle-python-grader-"));
  await mkdir(join(folder, "graders"));
  await writeFile(join(folder, "graders", "turn.py"), graders);
});
afterAll(() => rm(folder, { recursive: true }));

function grade(
  name: string,
  facts: Partial<TurnFacts> = {},
  settings: { python?: string } = {},
  graderTimeoutMs = 60_000,
) {
  const judges = { judge: async () => Promise.reject("no judge") };
  const environment = { PATH: process.env.PATH };
  const planner = new MetricPlanner({
    trusted,
    folder,
    judges,
    redactor: createRedactor(),
    environment,
    graderTimeoutMs,
  });
  const [metric] = planner.plan([{ type: "code", name, file: "graders/turn.py", function: name, ...settings }]);
  if (metric === undefined) throw new Error("The metric was not planned.");
  return metric.score(factsForTests(facts), new AbortController().signal);
}

test("without Python, a grader in Python has no score, and says what to install", async () => {
  await expect(grade("share", {}, { python: "python-that-is-missing" })).rejects.toThrow(
    "graders/turn.py needs Python, but there is no program python-that-is-missing. Install Python 3.9",
  );
});

const hasPython = (() => {
  try {
    execFileSync("python3", ["--version"]);
    return true;
  } catch {
    return false;
  }
})();

describe.skipIf(!hasPython)("a grader in Python (needs python3)", () => {
  test("of HoloDeck runs unchanged, without its package, with the calls and the values of the turn", async () => {
    const call = { tool: "subtract", input: { a: "60.94" }, state: "succeeded", output: "35.8" } as const;
    const facts = { calls: [call], config: { a: "60.94" } } as unknown as Partial<TurnFacts>;
    expect(await grade("called_with", facts)).toMatchObject({ score: 1, reason: "turn 0 of first" });
    expect(await grade("called_with", { config: { a: "1" } })).toMatchObject({ score: 0, reason: "not called" });
  });

  test("returns a share, a boolean or a mapping", async () => {
    expect(await grade("share")).toMatchObject({ score: 0.25 });
    expect(await grade("same", { answer: "a", groundTruth: "a" })).toMatchObject({ score: 1 });
    expect(await grade("names", { retrievalContext: ["a", "b"] })).toMatchObject({ score: 0.5, reason: "a,b" });
  });

  test("that raises, returns no grade or takes too long has no score, and says why", async () => {
    await expect(grade("broken")).rejects.toThrow(/^graders\/turn\.py:\d+: ValueError: no program$/);
    await expect(grade("wrong")).rejects.toThrow('wrong of graders/turn.py returned "good", which is not a grade.');
    await expect(grade("slow", {}, {}, 1500)).rejects.toThrow("slow of graders/turn.py took longer than 1.5 s.");
  });
});
