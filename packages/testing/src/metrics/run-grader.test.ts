import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRedactor } from "@bridle/core";
import { TrustedFolder } from "@bridle/protocol";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { MetricError } from "../result/planned-metric.ts";
import { factsForTests } from "./facts-for-tests.ts";
import { failGrader } from "./isolate-grader.ts";
import { MetricPlanner } from "./metric-planner.ts";

const trusted = await TrustedFolder.require(undefined, []);

const graders = `
type Facts = { readonly answer: string; readonly calls: readonly { readonly tool: string }[] };
export const share = ({ answer }: Facts) => answer.length / 100;
export const yes = () => true;
export const no = async () => false;
export const graded = async ({ calls }: Facts) => ({ score: 0.75, reason: calls.map(({ tool }) => tool).join() });
export const passing = () => ({ passed: true, reason: "It is good." });
export const agreeing = () => ({ score: 0.25, passed: false });
export const differing = () => ({ score: 0.25, passed: true });
export const nothing = () => {};
export const notANumber = () => Number.NaN;
export const percent = () => 95;
export const words = () => "good";
export const odd = () => ({ score: 1, resaon: "misspelt" });
export const throwing = () => {
  throw new Error("no order");
};
export const rejecting = async () => Promise.reject("no reason");
export const changing = (facts: { answer: string }) => {
  facts.answer = "better";
  return 1;
};
export const endless = () => new Promise(() => {});
export const waiting = (_facts: Facts, { signal }: { signal: AbortSignal }) =>
  new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("given up"))));
export const total = 3;
`;

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bridle-graders-"));
  await writeFile(join(folder, "graders.ts"), graders);
  await writeFile(join(folder, "broken.ts"), "throw new Error('not set up');\n");
});
afterAll(() => rm(folder, { recursive: true }));

const signal = new AbortController().signal;
const facts = Object.freeze(factsForTests({ answer: "x".repeat(50) }));

function plan(exported: string, more: { file?: string; threshold?: number; graderTimeoutMs?: number } = {}) {
  const { graderTimeoutMs, file = "graders.ts", ...rest } = more;
  const judges = { judge: async () => Promise.reject("no judge") };
  const planner = new MetricPlanner({ trusted, folder, judges, redactor: createRedactor(), graderTimeoutMs });
  const [metric] = planner.plan([{ type: "code", name: "Mine", file, function: exported, ...rest }]);
  if (metric === undefined) throw new Error("The metric was not planned.");
  return metric;
}

test("a grader gives a share, a yes or no, or either with a reason", async () => {
  const score = (exported: string) => plan(exported).score(facts, signal);
  expect(await score("share")).toEqual({ score: 0.5 });
  expect(await score("yes")).toEqual({ score: 1 });
  expect(await score("no")).toEqual({ score: 0 });
  expect(await score("graded")).toEqual({ score: 0.75, reason: "" });
  expect(await score("passing")).toEqual({ score: 1, reason: "It is good." });
  expect(await score("agreeing")).toEqual({ score: 0.25 });
});

test("the default threshold of a grader is 0.5", () => {
  expect(plan("yes")).toMatchObject({ name: "Mine", type: "code", metric: "code", threshold: 0.5, passes: "at-least" });
  expect(plan("yes", { threshold: 0.9 })).toMatchObject({ threshold: 0.9 });
});

describe("a grader without a valid result fails with the reason", () => {
  const wrong: readonly [exported: string, message: string][] = [
    ["nothing", "nothing of graders.ts returned undefined, which is not a grade. Return a number from 0 to 1, true or"],
    ["notANumber", "notANumber of graders.ts returned NaN, which is not a grade."],
    ["percent", "percent of graders.ts returned 95, which is not a grade."],
    ["words", 'words of graders.ts returned "good", which is not a grade.'],
    ["odd", 'returned {"score":1,"resaon":"misspelt"}, which is not a grade.'],
    ["differing", "returned passed: true with the score 0.25, but the threshold is 0.5. Correct one of them"],
    ["throwing", "throwing of graders.ts threw: no order. Correct the function."],
    ["rejecting", "rejecting of graders.ts threw: no reason. Correct the function."],
    ["changing", "changing of graders.ts threw: Cannot assign to read only property 'answer'"],
    ["total", 'graders.ts has no function "total". It exports '],
    ["none", 'graders.ts has no export "none". It exports '],
  ];

  test.each(wrong)("%s", async (exported, message) => {
    const error = await plan(exported)
      .score(facts, signal)
      .catch((failed: unknown) => failed);
    expect(error).toBeInstanceOf(MetricError);
    expect(error).toMatchObject({ message: expect.stringContaining(message) });
  });

  test("a module that cannot be loaded", async () => {
    await expect(plan("yes", { file: "broken.ts" }).score(facts, signal)).rejects.toThrow(
      "the module threw while it was loaded: not set up. Correct it, and run again.",
    );
    await expect(plan("yes", { file: "none.ts" }).score(facts, signal)).rejects.toThrow("does not exist");
  });
});

test.each(["endless", "waiting"])("a grader that does not end is aborted (%s)", async (exported) => {
  await expect(plan(exported, { graderTimeoutMs: 50 }).score(facts, signal)).rejects.toThrow(
    new MetricError(
      `${exported} of graders.ts took longer than 0.05 s. Make it end in time, for example when its signal is aborted.`,
    ),
  );
});

test("a grader is stopped with the tests", async () => {
  const tests = new AbortController();
  const scored = plan("endless").score(facts, tests.signal);
  tests.abort(new Error("interrupted"));
  await expect(scored).rejects.toThrow("interrupted");
});

test("an uncaught error fails the grader that caused it, and names the grader if it comes after its result", async () => {
  const fault = new Error("forgotten");
  const graderOf = (body: string) => writeFile(join(folder, "faults.ts"), body);
  await graderOf(`
export const during = async () => { queueMicrotask(() => globalThis.report()); return 1; };
export const after = async () => { setTimeout(() => globalThis.report(), 50); return 1; };
`);
  const passed: unknown[] = [];
  const report = () => failGrader(fault, (error) => passed.push(error));
  vi.stubGlobal("report", report);
  await expect(plan("during", { file: "faults.ts" }).score(facts, signal)).rejects.toThrow(
    /threw.*: forgotten\. Correct the function/,
  );
  expect(passed).toEqual([]);
  expect(await plan("after", { file: "faults.ts" }).score(facts, signal)).toEqual({ score: 1 });
  await vi.waitFor(() =>
    expect(passed).toMatchObject([
      {
        message: "after of faults.ts failed after it had returned its result: forgotten. Await everything in it.",
        cause: fault,
      },
    ]),
  );
  vi.unstubAllGlobals();
  report();
  expect(passed[1]).toBe(fault);
});
