/** Tests budgets and permits that runs share with the runs that they start. */
import { randomUUID } from "node:crypto";
import { type AgentRun, type Cost, type TurnContext, UsageLimitError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { createPolicy } from "../../policy/policy-rules.ts";
import { begin, createTestTool, natural } from "../../runtime/runs-for-tests.ts";
import { agentOn, callsForever, callsThenAnswers, eventsOf, hostThat, respondOnce } from "./nested-runs-for-tests.ts";

const look = createTestTool("look", async () => "seen", { annotations: { readOnly: true } });
const cent: Cost = { usd: 0.01, estimate: false };

test.each([3, 4, 5, 8, 9])(
  "nested runs share a budget of %i steps exactly, and leave the caller one",
  async (stepBudget) => {
    const runs: AgentRun[] = [];
    const helper = agentOn("helper", hostThat(callsForever("look")), { tools: [look] }, { runs });
    const run = begin(hostThat(callsThenAnswers(["helper", "helper", "helper"], "partly")), {
      tools: [helper],
      stepBudget,
    });
    const { stopReason, text, steps, nested } = await run.result;
    expect({ stopReason, text }).toEqual({ stopReason: "natural", text: "partly" });
    expect(steps + (nested?.steps ?? 0)).toBe(stepBudget);
    for (const each of runs) expect(["budget", "error"]).toContain((await each.result).stopReason);
  },
);

test.each([4, 5, 6, 7, 8, 9, 12, 15])(
  "of a budget of %i steps, each run that calls another one keeps the step for its answer, whatever its sibling uses",
  async (stepBudget) => {
    const runs: AgentRun[] = [];
    const third = agentOn("third", hostThat(callsForever("look")), { tools: [look] });
    const second = agentOn("second", hostThat(callsThenAnswers(["third"], "second")), { tools: [third] }, { runs });
    const greedy = agentOn("greedy", hostThat(callsForever("look")), { tools: [look] });
    for (const tools of [
      [second, greedy],
      [greedy, second],
    ]) {
      const host = hostThat(
        callsThenAnswers(
          tools.map(({ name }) => name),
          "first",
        ),
      );
      const run = begin(host, { tools, stepBudget });
      const { stopReason, text, steps, nested } = await run.result;
      expect({ stopReason, text, steps }).toEqual({ stopReason: "natural", text: "first", steps: 2 });
      expect(steps + (nested?.steps ?? 0)).toBe(stepBudget);
      const called = runs.at(-1);
      const events = called ? await eventsOf(called) : [];
      const hasCalled = events.some(({ type }) => type === "nested.started");
      if (hasCalled) expect(await called?.result).toMatchObject({ stopReason: "natural", text: "second" });
    }
  },
);

test("a run at the third level leaves each of its callers one step", async () => {
  const third = agentOn("third", hostThat(callsForever("look")), { tools: [look] });
  const second = agentOn("second", hostThat(callsThenAnswers(["third"], "second")), { tools: [third] });
  const run = begin(hostThat(callsThenAnswers(["second"], "first")), { tools: [second], stepBudget: 7 });
  expect(await run.result).toMatchObject({ stopReason: "natural", text: "first", steps: 2, nested: { steps: 5 } });
});

test("a nested run is refused if only the caller's own answer is left, and the caller gives it", async () => {
  const helper = agentOn("helper", hostThat(callsForever("look")), { tools: [look] });
  const events = await eventsOf(begin(hostThat(callsThenAnswers(["helper"])), { tools: [helper], stepBudget: 2 }));
  expect(events.at(-1)).toMatchObject({ result: { stopReason: "natural", steps: 2 } });
  expect(events.find(({ type }) => type === "tool.finished")).toMatchObject({
    ok: false,
    output: "The budget of the run that calls this agent is used up. Answer with the information you have.",
  });
});

test("nested runs share the tokens of their caller, which ends when they are used up", async () => {
  const helper = agentOn("helper", hostThat(callsForever("look")), { tools: [look] });
  const request = { tools: [helper], maxTotalTokens: 12, stepBudget: 20 }; // each response has 3 tokens
  const { stopReason, steps, nested } = await begin(hostThat(callsThenAnswers(["helper"])), request).result;
  expect([stopReason, steps, nested?.steps]).toEqual(["budget", 1, 3]);
});

test("nested runs share the dollars of their caller", async () => {
  const helper = agentOn("helper", hostThat(callsForever("look", cent)), { tools: [look] });
  const request = { tools: [helper], maxCostUsd: 0.05, stepBudget: 20 };
  const { stopReason, cost, nested } = await begin(hostThat(callsThenAnswers(["helper"], "", cent)), request).result;
  expect([stopReason, cost?.usd, nested?.cost?.usd]).toEqual(["budget", 0.01, 0.04]);
});

test("a host that knows no price is refused under a caller with a cost budget", async () => {
  const priceless = hostThat(callsForever("look"));
  const helper = agentOn("helper", { ...priceless, features: { ...priceless.features, costBudget: false } });
  const events = await eventsOf(begin(hostThat(callsThenAnswers(["helper"])), { tools: [helper], maxCostUsd: 1 }));
  expect(events.find(({ type }) => type === "tool.finished")).toMatchObject({ ok: false, output: /cost budget/ });
});

test("three levels on one account with one place end, although a person is asked at each", async () => {
  const account = randomUUID();
  const options = { limits: { maxConcurrency: 1 } };
  const policy = createPolicy({ rules: [{ tool: "look", then: "ask" }] });
  const level = (name: string, calls: string[], tools: (typeof look)[]) =>
    agentOn(name, { ...hostThat(callsThenAnswers(calls)), account }, { tools, policy }, options);
  const third = level("third", ["look", "look"], [look]);
  const second = level("second", ["third", "look"], [third, look]);
  const first = { ...hostThat(callsThenAnswers(["second", "look", "second"])), account };
  const approve = async () => ({ decision: "allow" }) as const;
  const run = begin(first, { tools: [second, look], policy, stepBudget: 50 }, { ...options, approve });
  expect(await run.result).toMatchObject({ stopReason: "natural", nested: { runs: 4, steps: 8 } });
});

const soon = () => new UsageLimitError("used up", { window: "day", resetsAt: new Date(Date.now() + 50) });
const limits = { onUsageLimit: "wait" } as const;

test("a nested run that waits for its account keeps its step, whatever its sibling uses meanwhile", async () => {
  const waits = hostThat(async (host) => {
    await host.awaitLimit(soon());
    respondOnce(host, "late");
    return natural;
  });
  const runs: AgentRun[] = [];
  const waiting = agentOn("waiting", waits, {}, { limits, runs });
  const greedy = agentOn("greedy", hostThat(callsForever("look")), { tools: [look] });
  const request = { tools: [waiting, greedy], stepBudget: 6 };
  const { stopReason, steps, nested } = await begin(hostThat(callsThenAnswers(["waiting", "greedy"])), request).result;
  expect([stopReason, steps, nested?.steps]).toEqual(["natural", 2, 4]);
  expect(await runs[0]?.result).toMatchObject({ stopReason: "natural", text: "late" });
});

test.each<[string, (host: TurnContext) => unknown]>([
  ["waits for its account", (host) => host.awaitLimit(soon())],
  ["has a refused call", (host) => host.reportRefused({ callId: "0", tool: "none", input: {} }, "no")],
  ["has the result of a host tool", (host) => host.completeHostTool("0", true, "read")],
])("a nested run whose steps are used up sends no further request when it %s", async (_, work) => {
  const sent: string[] = [];
  const host = hostThat(async (context) => {
    respondOnce(context);
    await work(context);
    if (!context.signal.aborted) sent.push("a request");
    return natural;
  });
  const runs: AgentRun[] = [];
  const helper = agentOn("helper", host, {}, { limits, runs });
  const { stopReason } = await begin(hostThat(callsThenAnswers(["helper"])), { tools: [helper], stepBudget: 3 }).result;
  expect([stopReason, sent]).toEqual(["natural", []]);
  expect(await runs[0]?.result).toMatchObject({ stopReason: "budget", steps: 1 });
});
