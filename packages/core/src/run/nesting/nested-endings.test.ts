/** Tests how runs and the runs that they start end each other. */
import { appendEvents, ofType } from "@bridle/conformance";
import type { AgentRun, EventDraft, RunEvent } from "@bridle/protocol";
import { expect, test, vi } from "vitest";
import { describeInterruptedEnd } from "../../event-log/interrupted-run.ts";
import { createMemoryEventLog } from "../../event-log/memory-event-log.ts";
import { createPolicy } from "../../policy/policy-rules.ts";
import { begin, createTestTool, forever } from "../../runtime/runs-for-tests.ts";
import { createAgentRuntime } from "../../runtime/runtime.ts";
import { ProcessEnding } from "../ending.ts";
import { agentOn, callsThenAnswers, eventsOf, hostThat } from "./nested-runs-for-tests.ts";

const look = createTestTool("look", async () => "seen");
const asksToLook = createPolicy({ rules: [{ tool: "look", then: "ask" }] });
const linksIn = (events: readonly RunEvent[]) =>
  events.map(({ type }) => type).filter((type) => type.startsWith("nested."));

test("deny-and-stop at the third level ends the runs of all levels", async () => {
  const runs: AgentRun[] = [];
  const request = { tools: [look], policy: asksToLook };
  const third = agentOn("third", hostThat(callsThenAnswers(["look"])), request, { runs });
  const second = agentOn("second", hostThat(callsThenAnswers(["third"])), { tools: [third] }, { runs });
  const approve = () => ({ decision: "deny-and-stop", message: "enough" }) as const;
  const first = begin(hostThat(callsThenAnswers(["second"])), { tools: [second] }, { approve });
  expect(await first.result).toMatchObject({ stopReason: "stopped", error: { by: "person" } });
  expect(runs).toHaveLength(2);
  for (const each of runs) expect(await each.result).toMatchObject({ error: { by: "person" } });
});

test("a nested run that ends before it begins has no link in the log of its caller", async () => {
  const starts = createTestTool("starts", async (_input, { call }) => {
    const nested = begin(hostThat(callsThenAnswers([])), { parent: call });
    nested.stop();
    return (await nested.result).stopReason;
  });
  const events = await eventsOf(begin(hostThat(callsThenAnswers(["starts"])), { tools: [starts] }));
  expect(linksIn(events)).toEqual([]);
  expect(events.at(-1)).toMatchObject({ result: { stopReason: "natural", nested: { runs: 1 } } });
});

test("a nested question is closed when the process of its caller ends, because nobody continues the run that asked", async () => {
  const eventLog = createMemoryEventLog();
  const ending = new AbortController();
  const approve = () => {
    setTimeout(() => ending.abort(new ProcessEnding("the server was shut down")));
    return forever;
  };
  const helper = agentOn(
    "helper",
    hostThat(callsThenAnswers(["look"])),
    { tools: [look], policy: asksToLook },
    { eventLog },
  );
  const request = { tools: [helper], signal: ending.signal };
  const run = begin(hostThat(callsThenAnswers(["helper"])), request, { approve, eventLog });
  expect(await run.result).toMatchObject({ stopReason: "stopped", nested: { runs: 1 } });
  const decided = (await eventLog.read({ runId: run.id })).filter(({ type }) => type === "approval.decided");
  expect(decided).toMatchObject([{ source: "run-ended" }]);
  expect(await eventLog.approvals?.open()).toEqual([]);
});

test("the next run of a session closes the questions of the nested runs that died with the last one", async () => {
  const eventLog = createMemoryEventLog();
  const session = { runId: "a", sessionId: "s" };
  const [asking, nested] = [
    { runId: "n", sessionId: "ns" },
    { runId: "n", sessionId: "ns", callId: "1" },
  ];
  const asked: EventDraft = {
    type: "approval.requested",
    approvalId: "q",
    attempt: 1,
    tool: "look",
    input: {},
    callId: "1",
    inputHash: "h",
    builtin: false,
    rule: "default",
    everyTime: false,
  };
  const call = { callId: "c", tool: "helper", input: {}, inputHash: "h" };
  await appendEvents(eventLog, session, { type: "tool.requested", ...call }, { ...asked, callId: "c", nested });
  await appendEvents(eventLog, asking, asked);
  for (const scope of [session, asking]) await appendEvents(eventLog, scope, describeInterruptedEnd([], "its process"));
  expect(await eventLog.approvals?.open()).toMatchObject([{ id: "q", runId: "n", alive: false }]);
  const runtime = createAgentRuntime({ backend: hostThat(callsThenAnswers([])), models: { default: "m" }, eventLog });
  const next = await (await runtime.openSession({ id: "s", tools: [] })).send("go on");
  const decided = ofType(await eventsOf(next), "approval.decided");
  expect(decided).toMatchObject([{ approvalId: "q", callId: "c", nested, decision: "deny", source: "run-ended" }]);
  expect(await eventLog.approvals?.open()).toEqual([]);
});

test("a nested agent on another event log is answered in the log of its caller, which another process has open", async () => {
  const [callers, own] = [createMemoryEventLog(), createMemoryEventLog()];
  const asking = { tools: [look], policy: asksToLook };
  const third = agentOn("third", hostThat(callsThenAnswers(["look"])), asking, { eventLog: own });
  const second = agentOn("second", hostThat(callsThenAnswers(["third"])), { tools: [third] });
  const options = { eventLog: callers, approve: "event-log" } as const;
  const run = begin(hostThat(callsThenAnswers(["second"])), { tools: [second] }, options);
  const [question] = await vi.waitFor(async () => {
    const open = (await callers.approvals?.open()) ?? [];
    expect(open).toMatchObject([{ runId: run.id, tool: "look", alive: true, nested: { callId: "look-0" } }]);
    return open;
  }, 60_000);
  const { id = "", inputHash = "" } = question ?? {};
  expect(await callers.approvals?.answer(id, { decision: "allow", inputHash })).toMatchObject({ outcome: "delivered" });
  expect(await run.result).toMatchObject({ stopReason: "natural", nested: { toolCalls: 2 } });
  expect([await callers.approvals?.open(), await own.approvals?.open()]).toEqual([[], []]);
});

test.each([
  ["returns", { timeoutMs: 60_000 }, "early"],
  ["runs out of time", { timeoutMs: 50 }, undefined],
])("a nested run ends with its call if the tool %s and passed no signal", async (_, parts, answer) => {
  const runs: AgentRun[] = [];
  const hangs = createTestTool("hangs", () => forever);
  const starts = createTestTool(
    "starts",
    async (_input, { call }) => {
      runs.push(begin(hostThat(callsThenAnswers(["hangs"])), { tools: [hangs], parent: call }));
      await new Promise((resolve) => setTimeout(resolve, 30));
      return answer ?? forever;
    },
    parts,
  );
  const events = await eventsOf(begin(hostThat(callsThenAnswers(["starts"])), { tools: [starts] }));
  expect(await runs[0]?.result).toMatchObject({
    stopReason: "stopped",
    steps: 1,
    error: { message: "The run was stopped: the call that started it is over." },
  });
  const types = events.map(({ type }) => type);
  expect(linksIn(events)).toEqual(["nested.started", "nested.finished"]);
  expect(types.indexOf("nested.finished")).toBeLessThan(types.indexOf("tool.finished"));
  expect(events.at(-1)).toMatchObject({ result: { stopReason: "natural", nested: { runs: 1, steps: 1 } } });
});
