/** Tests runs that a tool starts: links, rules, questions, endings. */
import { ofType } from "@bridle/conformance";
import { type AgentRun, type Approval, addUsage, type RunEvent } from "@bridle/protocol";
import { expect, test } from "vitest";
import { createPolicy } from "../../policy/policy-rules.ts";
import { begin, createTestTool, forever, natural, someUsage } from "../../runtime/runs-for-tests.ts";
import { agentOn, callsThenAnswers, eventsOf, hostThat, respondOnce } from "./nested-runs-for-tests.ts";

const answers = hostThat(async (host) => {
  respondOnce(host, "found it");
  return natural;
});
const look = createTestTool("look", async () => "seen");
const outputs = (events: readonly RunEvent[]) => ofType(events, "tool.finished").map(({ output }) => output);

test("a nested run and its caller name each other in their logs", async () => {
  const runs: AgentRun[] = [];
  const run = begin(hostThat(callsThenAnswers(["helper"])), { tools: [agentOn("helper", answers, {}, { runs })] });
  const events = await eventsOf(run);
  const [nested] = runs;
  expect(ofType(await eventsOf(nested as AgentRun), "run.started")).toMatchObject([
    { parentRunId: run.id, parentCallId: "helper-0" },
  ]);
  expect(ofType(events, "nested.started")).toMatchObject([
    { callId: "helper-0", nestedRunId: nested?.id, agent: "helper", backend: "hostile", model: "helper" },
  ]);
  expect(ofType(events, "nested.finished")).toMatchObject([
    { callId: "helper-0", nestedRunId: nested?.id, stopReason: "natural", totals: { runs: 1, steps: 1 } },
  ]);
  expect(outputs(events)).toEqual(["natural: found it"]);
});

test("usage over three levels counts each request once", async () => {
  const third = agentOn("third", answers);
  const second = agentOn("second", hostThat(callsThenAnswers(["third", "third"])), { tools: [third] });
  const run = begin(hostThat(callsThenAnswers(["second", "third"])), { tools: [second, third] });
  const { usage, steps, nested } = await run.result;
  expect({ steps, usage }).toEqual({ steps: 2, usage: addUsage(someUsage, someUsage) });
  const five = [1, 2, 3, 4].reduce((sum) => addUsage(sum, someUsage), someUsage);
  expect(nested).toMatchObject({ runs: 4, steps: 5, toolCalls: 2, usage: five });
});

test("a call that the caller's rules deny is denied in the nested run, whatever its own rules say", async () => {
  const runs: AgentRun[] = [];
  const helper = agentOn(
    "helper",
    hostThat(callsThenAnswers(["look"])),
    { tools: [look] },
    { runs, parts: { nestedTools: ["look"] } },
  );
  const policy = createPolicy({ mode: "yolo", rules: [{ tool: "look", then: "deny" }] });
  await begin(hostThat(callsThenAnswers(["helper"])), { tools: [helper], policy }).result;
  const events = await eventsOf(runs[0] as AgentRun);
  expect(ofType(events, "tool.evaluated")).toMatchObject([{ decision: "deny", rule: "rules[0] look" }]);
});

test("a tool that the caller disables is hidden from the model of the nested run", async () => {
  const runs: AgentRun[] = [];
  const helper = agentOn("helper", answers, { tools: [look] }, { runs, parts: { nestedTools: ["look"] } });
  const policy = createPolicy({ mode: "yolo", disable: ["look"] });
  await begin(hostThat(callsThenAnswers(["helper"])), { tools: [helper], policy }).result;
  expect(ofType(await eventsOf(runs[0] as AgentRun), "run.started")).toMatchObject([{ tools: [] }]);
});

test("rules of a project that both runs share may be about a tool that only the caller has", async () => {
  const policy = createPolicy({ mode: "yolo", rules: [{ tool: "send", then: "deny" }] });
  const helper = agentOn("helper", answers, { tools: [look] }, { policy });
  const tools = [helper, createTestTool("send", async () => "sent")];
  const events = await eventsOf(begin(hostThat(callsThenAnswers(["helper"])), { tools, policy }));
  expect(outputs(events)).toEqual(["natural: found it"]);
});

test("a rule about a tool that no nested agent has is refused with the names that exist", () => {
  const helper = agentOn("helper", answers, {}, { parts: { nestedTools: ["look"] } });
  const policy = createPolicy({ rules: [{ tool: "lok", then: "deny" }] });
  expect(() => begin(answers, { tools: [helper], policy })).toThrow('Did you mean "look"?');
});

test("a question of a nested run is put to its caller's approver, and is in the caller's log", async () => {
  const asked: Approval[] = [];
  const approve = async (approval: Approval) => {
    asked.push(approval);
    return { decision: "allow", scope: "session", by: "ada" } as const;
  };
  const runs: AgentRun[] = [];
  const options = { runs, approve: () => expect.fail("the nested agent's own approver is not asked") };
  const twice = hostThat(async (host) => {
    respondOnce(host);
    await host.callTool({ callId: "1", tool: "look", input: {} });
    await host.callTool({ callId: "2", tool: "look", input: {} });
    respondOnce(host, "done");
    return natural;
  });
  const policy = createPolicy({ rules: [{ tool: "look", then: "ask" }] });
  const helper = agentOn("helper", twice, { tools: [look], policy }, options);
  const events = await eventsOf(begin(hostThat(callsThenAnswers(["helper"])), { tools: [helper] }, { approve }));
  expect(asked).toMatchObject([{ runId: runs[0]?.id, tool: "look", labels: { agent: "helper" } }]); // the second call uses that answer
  const nested = { runId: runs[0]?.id, callId: "1" };
  expect(ofType(events, "approval.requested")).toMatchObject([
    { approvalId: asked[0]?.id, callId: "helper-0", tool: "look", nested },
  ]);
  expect(ofType(events, "approval.decided")).toMatchObject([
    { callId: "helper-0", decision: "allow", by: "ada", nested },
  ]);
});

test("the caller's question wins over the nested agent's permission", async () => {
  const runs: AgentRun[] = [];
  const helper = agentOn(
    "helper",
    hostThat(callsThenAnswers(["look"])),
    { tools: [look] },
    { runs, parts: { nestedTools: ["look"] } },
  );
  const policy = createPolicy({ rules: [{ tool: "look", then: "ask" }] });
  await begin(
    hostThat(callsThenAnswers(["helper"])),
    { tools: [helper], policy },
    { approve: () => ({ decision: "deny" }) },
  ).result;
  const events = await eventsOf(runs[0] as AgentRun);
  expect(ofType(events, "tool.denied")).toHaveLength(1);
  expect(ofType(events, "approval.decided")).toMatchObject([{ decision: "deny", source: "answer" }]);
});

test("deny-and-stop in a nested run ends its callers too", async () => {
  const runs: AgentRun[] = [];
  const policy = createPolicy({ rules: [{ tool: "look", then: "ask" }] });
  const helper = agentOn("helper", hostThat(callsThenAnswers(["look"])), { tools: [look], policy }, { runs });
  const approve = () => ({ decision: "deny-and-stop", message: "enough" }) as const;
  const { stopReason, error } = await begin(hostThat(callsThenAnswers(["helper"])), { tools: [helper] }, { approve })
    .result;
  expect([stopReason, error]).toMatchObject(["stopped", { by: "person" }]);
  expect(await runs[0]?.result).toMatchObject({ stopReason: "stopped", error: { by: "person" } });
});

test("the time limit of a caller stands still while a person is asked in a nested run", async () => {
  const policy = createPolicy({ rules: [{ tool: "look", then: "ask" }] });
  const helper = agentOn("helper", hostThat(callsThenAnswers(["look"])), { tools: [look], policy });
  const approve = () =>
    new Promise<{ decision: "allow" }>((resolve) => setTimeout(() => resolve({ decision: "allow" }), 1200));
  const request = { tools: [helper], timeoutMs: 1000 };
  const { stopReason } = await begin(hostThat(callsThenAnswers(["helper"])), request, { approve }).result;
  expect(stopReason).toBe("natural");
});

test("a caller that is stopped ends its nested runs first, and its figures include them", async () => {
  const runs: AgentRun[] = [];
  const signals: AbortSignal[] = [];
  const started = Promise.withResolvers<void>();
  const slow = createTestTool("slow", (_input, { signal }) => {
    signals.push(signal);
    started.resolve();
    return forever;
  });
  const third = agentOn("third", hostThat(callsThenAnswers(["slow"])), { tools: [slow] }, { runs });
  const second = agentOn("second", hostThat(callsThenAnswers(["third"])), { tools: [third] }, { runs });
  const run = begin(hostThat(callsThenAnswers(["second"])), { tools: [second] });
  const reading = eventsOf(run);
  await started.promise;
  run.stop("by its user");
  const { stopReason, nested } = await run.result;
  expect([stopReason, nested]).toMatchObject(["stopped", { runs: 2, steps: 2 }]);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  for (const each of runs) {
    const { stopReason: how, error } = await each.result;
    expect([how, error?.message]).toEqual([
      "stopped",
      "The run was stopped: the run that called it has ended (stopped).",
    ]);
  }
  const types = (await reading).map(({ type }) => type);
  expect(types.indexOf("nested.finished")).toBeLessThan(types.indexOf("run.finished"));
});

test("a nested run whose host crashes is a failed call, and its caller continues", async () => {
  const crashes = hostThat(() => Promise.reject(new Error("the process is gone")));
  const runs: AgentRun[] = [];
  const run = begin(hostThat(callsThenAnswers(["helper"], "sorry")), {
    tools: [agentOn("helper", crashes, {}, { runs })],
  });
  expect(await run.result).toMatchObject({ stopReason: "natural", text: "sorry", nested: { runs: 1 } });
  expect(await runs[0]?.result).toMatchObject({ stopReason: "error", error: { code: "backend_crash" } });
});

test("a run has three levels of nested runs at most, and fewer if it is asked for", async () => {
  const nest = (levels: number) =>
    Array.from({ length: levels }).reduce<ReturnType<typeof agentOn>>(
      (tool) => agentOn("agent", hostThat(callsThenAnswers(["agent"])), { tools: [tool] }),
      agentOn("agent", answers),
    );
  const three = await begin(hostThat(callsThenAnswers(["agent"])), { tools: [nest(2)], stepBudget: 40 }).result;
  expect(three.nested).toMatchObject({ runs: 3 });
  const four = await begin(hostThat(callsThenAnswers(["agent"])), { tools: [nest(3)], stepBudget: 40 }).result;
  expect(four.nested).toMatchObject({ runs: 3 });
  const none = await eventsOf(begin(hostThat(callsThenAnswers(["agent"])), { tools: [nest(0)], maxDepth: 0 }));
  expect(outputs(none)[0]).toContain("has reached the limit of levels");
});

test("a rehearsed run never starts a nested run on a real model", async () => {
  const rehearsed = { ...hostThat(callsThenAnswers(["helper"])), rehearsed: true as const };
  const real = hostThat(() => expect.fail("nothing is sent"));
  const events = await eventsOf(begin(rehearsed, { tools: [agentOn("helper", real)] }));
  expect(outputs(events)[0]).toContain("no real model may answer it");
});

test("a parent whose call is over is refused, although its run continues", async () => {
  let kept: Parameters<typeof begin>[1] = {};
  const keep = createTestTool("keep", async (_input, { call }) => {
    kept = { parent: call };
    return "kept";
  });
  const late = createTestTool("late", async () => {
    expect(() => begin(answers, kept)).toThrow("The call keep-0 of the run");
    return "refused";
  });
  const callsInTurn = hostThat(async (host) => {
    respondOnce(host);
    await host.callTool({ callId: "keep-0", tool: "keep", input: {} });
    await host.callTool({ callId: "late-0", tool: "late", input: {} });
    return natural;
  });
  expect(outputs(await eventsOf(begin(callsInTurn, { tools: [keep, late] })))).toEqual(["kept", "refused"]);
});

test("a parent that no engine made is refused, and so is one whose run is over", async () => {
  expect(() => begin(answers, { parent: { runId: "r", callId: "c" } })).toThrow("not a call of a run in this process");
  let kept: Parameters<typeof begin>[1] = {};
  const keep = createTestTool("keep", async (_input, { call }) => {
    kept = { parent: call };
    return "kept";
  });
  await begin(hostThat(callsThenAnswers(["keep"])), { tools: [keep] }).result;
  expect(() => begin(answers, kept)).toThrow("is over, so it starts no other run");
});
