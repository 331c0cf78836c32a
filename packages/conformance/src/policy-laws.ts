import { createApprovalQueue, createMemoryEventLog, createPolicy, sha256 } from "@bridle/core";
import type { ApprovalAnswer, Approver, Policy } from "@bridle/protocol";
import { expect, vi } from "vitest";
import { type Behaviour, collect, ofType, passedTools } from "./harness.ts";
import type { ScriptedModel } from "./scripted-model.ts";
import { call, echo } from "./tools-for-tests.ts";

const allow: ApprovalAnswer = { decision: "allow" };

/** Returns a model that makes these calls in one response and then ends. */
function calling(...calls: { tool: string; input: unknown }[]): ScriptedModel {
  return [{ steps: [{ calls }, { say: "done" }] }];
}

export function policyLaws(behaviour: Behaviour): void {
  behaviour("that deny a call prevent it, and the model gets the reason in its next step", async (start) => {
    const policy = createPolicy({ mode: "yolo", rules: [{ tool: "a", when: { value: "^drop" }, then: "deny" }] });
    const { runtime, host } = await start(calling(call("a", "drop all"), call("a", "look")), { policy });
    const calls: unknown[] = [];
    const run = runtime.runAgentLoop({ prompt: "go", tools: [echo("a", calls)], stepBudget: 3 });
    const events = await collect(run);
    expect(calls).toEqual([{ value: "look" }]);
    expect(rulesIn(events)).toEqual(["deny by rules[0] a", "allow by mode:yolo"]);
    expect(host.sent()[1]?.texts).toContain(ofType(events, "tool.denied")[0]?.output);
    expect(ofType(events, "tool.denied")[0]?.output).toContain("not allowed (rules[0] a)");
    expect(await run.result).toMatchObject({ stopReason: "natural", toolCalls: 2, toolFailures: 1 });
  });

  behaviour("that fail or return an invalid decision deny the call", async (start) => {
    const policy: Policy = {
      id: "test",
      evaluate: ({ tool }) => {
        if (tool === "a") throw new Error("the rules are broken");
        return { decision: "maybe" as "allow", rule: "odd" };
      },
    };
    const { runtime, host } = await start(calling(call("a"), call("b")), { policy });
    const calls: unknown[] = [];
    const tools = [echo("a", calls), echo("b", calls)];
    const run = runtime.runAgentLoop({ prompt: "go", tools, stepBudget: 3 });
    expect(rulesIn(await collect(run))).toEqual(["deny by policy-failed", "deny by policy-failed"]);
    expect(calls).toEqual([]);
    expect(host.sent().at(-1)?.texts.join()).toContain("the rules are broken");
    expect((await run.result).stopReason).toBe("natural");
  });

  behaviour("are logged: the run has their hash, and each call has the rule that decided", async (start) => {
    const eventLog = createMemoryEventLog();
    const policy = createPolicy({
      mode: "read-only",
      rules: [{ tool: "a", when: { value: "^secret" }, then: "deny" }],
    });
    const { runtime, host } = await start(calling(call("a", "x"), call("a", "secret"), call("b")), {
      policy,
      eventLog: eventLog,
    });
    const calls: unknown[] = [];
    const tools = [echo("a", calls, { readOnly: true }), echo("b", calls)];
    const events = await collect(runtime.runAgentLoop({ prompt: "go", tools, stepBudget: 3 }));
    const [started] = ofType(events, "run.started");
    expect(started?.policy).toBe(sha256((await eventLog.artifact(started?.policy ?? "")) ?? ""));
    expect(JSON.parse((await eventLog.artifact(policy.id)) ?? "")).toMatchObject({ mode: "read-only" });
    expect(rulesIn(events).sort()).toEqual([
      "allow by annotation:readOnly",
      "deny by mode:read-only",
      "deny by rules[0] a",
    ]);
    expect(calls).toEqual([{ value: "x" }]);
    expect(host.sent().at(-1)?.texts.join()).toContain("Say what you would do instead of doing it.");
  });

  behaviour("that disable a tool hide it from the model, and a call of it is refused", async (start) => {
    const policy = createPolicy({ mode: "yolo", disable: ["b"] });
    const { runtime, host } = await start(calling(call("b"), call("a")), { policy });
    const calls: unknown[] = [];
    const tools = [echo("a", calls), echo("b", calls)];
    const run = runtime.runAgentLoop({ prompt: "go", tools, stepBudget: 3 });
    expect(ofType(await collect(run), "tool.denied")).toHaveLength(1);
    expect(host.sent().flatMap((_request, index) => passedTools(host, index))).toEqual(["a", "a"]);
    expect(calls).toHaveLength(1);
  });

  behaviour("that ask deny the call if no person can answer, and the model gets the reason", async (start) => {
    const { runtime, host } = await start(calling(call("a")), { policy: createPolicy() });
    const calls: unknown[] = [];
    const events = await collect(runtime.runAgentLoop({ prompt: "go", tools: [echo("a", calls)], stepBudget: 3 }));
    expect(calls).toEqual([]);
    expect(rulesIn(events)).toEqual(["deny by annotation:destructive"]);
    expect(ofType(events, "approval.requested")).toEqual([]);
    expect(host.sent()[1]?.texts.join()).toContain("nobody can be asked in this run");
  });

  behaviour(
    "that ask run a call once after a person allows it; question and answer are logged first",
    async (start) => {
      const approve: Approver = ({ callId: _, ...asked }) => ({ ...allow, inputHash: asked.inputHash, by: "ada" });
      const { runtime, host } = await start(calling(call("a", "1")), { policy: createPolicy(), approve });
      const calls: unknown[] = [];
      const events = await collect(runtime.runAgentLoop({ prompt: "go", tools: [echo("a", calls)], stepBudget: 3 }));
      expect(calls).toEqual([{ value: "1" }]);
      expect(rulesIn(events)).toEqual(["ask by annotation:destructive"]);
      expect(events.map(({ type }) => type).filter((type) => /^(tool|approval)\./.test(type))).toEqual([
        "tool.requested",
        "tool.evaluated",
        "approval.requested",
        "approval.decided",
        "tool.started",
        "tool.finished",
      ]);
      expect(ofType(events, "approval.decided")).toMatchObject([{ decision: "allow", source: "answer", by: "ada" }]);
      expect(host.sent()[1]?.texts).toContain("a says 1");
    },
  );

  behaviour("let a person edit the input: the tool gets it, and the model is informed", async (start) => {
    const approve: Approver = () => ({ ...allow, input: { value: "mended" } });
    const { runtime, host } = await start(calling(call("a", "broken")), { policy: createPolicy(), approve });
    const calls: unknown[] = [];
    const events = await collect(runtime.runAgentLoop({ prompt: "go", tools: [echo("a", calls)], stepBudget: 3 }));
    expect(calls).toEqual([{ value: "mended" }]);
    const [finished] = ofType(events, "tool.finished");
    expect(finished?.output).toMatch(/A person changed the input.*\{"value":"mended"\}.*a says mended/s);
    expect(host.sent()[1]?.texts).toContain(finished?.output);
  });

  behaviour(
    "send a person's denial to the model in the person's words, and deny-and-stop ends the run",
    async (start) => {
      const twice = { calls: [call("a")], forever: true };
      const answers: ApprovalAnswer[] = [
        { decision: "deny", message: "Not on a Friday." },
        { decision: "deny-and-stop", message: "Enough." },
      ];
      const approve: Approver = () => answers.shift() ?? allow;
      const { runtime, host } = await start([{ steps: [twice] }], { policy: createPolicy(), approve });
      const calls: unknown[] = [];
      const run = runtime.runAgentLoop({ prompt: "go", tools: [echo("a", calls)], stepBudget: 9 });
      const result = await run.result;
      expect(result).toMatchObject({ stopReason: "stopped", error: { message: expect.stringContaining("Enough.") } });
      expect(calls).toEqual([]);
      expect(host.sent()).toHaveLength(2);
      expect(host.sent()[1]?.texts.join()).toContain("Not on a Friday.");
    },
  );

  behaviour("may have several open questions, and each answer applies to its call", async (start) => {
    const queue = createApprovalQueue();
    const options = { policy: createPolicy({ mode: "ask" }), approve: queue.approve };
    const { runtime, host } = await start(calling(call("r", "1"), call("r", "2"), call("r", "3")), options);
    const calls: unknown[] = [];
    const tools = [echo("r", calls, { readOnly: true })];
    const run = runtime.runAgentLoop({ prompt: "go", tools, stepBudget: 3 });
    await vi.waitFor(() => expect(queue.pending).toHaveLength(3), { timeout: 60_000 });
    for (const { id, inputHash, input } of queue.pending.toReversed()) {
      queue.answer(id, { inputHash, decision: JSON.stringify(input).includes("2") ? "deny" : "allow" });
    }
    const events = await collect(run);
    expect(calls).toEqual(expect.arrayContaining([{ value: "1" }, { value: "3" }]));
    expect(calls).toHaveLength(2);
    const [denied] = ofType(events, "tool.denied");
    const requested = ofType(events, "tool.requested").find(({ callId }) => callId === denied?.callId);
    expect(requested?.input).toEqual({ value: "2" });
    const texts = host.sent().at(-1)?.texts.slice(-3);
    const refusal = expect.stringContaining("not allowed by the person"); // the order of the results depends on the host
    expect(texts).toEqual(expect.arrayContaining(["r says 1", refusal, "r says 3"]));
  });

  behaviour("run allowed calls in the model's order, in whatever order the answers come", async (start) => {
    const queue = createApprovalQueue();
    const options = { policy: createPolicy(), approve: queue.approve };
    const { runtime } = await start(calling(call("w", "1"), call("w", "2"), call("w", "3")), options);
    const calls: unknown[] = [];
    const run = runtime.runAgentLoop({ prompt: "go", tools: [echo("w", calls)], stepBudget: 3 });
    await vi.waitFor(() => expect(queue.pending).toHaveLength(3), { timeout: 60_000 });
    for (const { id, inputHash } of queue.pending.toReversed()) queue.answer(id, { ...allow, inputHash });
    await run.result;
    expect(calls).toEqual([{ value: "1" }, { value: "2" }, { value: "3" }]);
  });

  behaviour("close open questions when the run is stopped, and no late answer starts a call", async (start) => {
    const queue = createApprovalQueue();
    const { runtime } = await start(calling(call("a")), { policy: createPolicy(), approve: queue.approve });
    const calls: unknown[] = [];
    const run = runtime.runAgentLoop({ prompt: "go", tools: [echo("a", calls)], stepBudget: 3 });
    await vi.waitFor(() => expect(queue.pending).toHaveLength(1), { timeout: 60_000 });
    const [{ id, inputHash } = { id: "", inputHash: "" }] = queue.pending;
    run.stop();
    expect((await run.result).stopReason).toBe("stopped");
    expect(queue.pending).toEqual([]);
    expect(queue.answer(id, { ...allow, inputHash }).accepted).toBe(false);
    expect(ofType(await collect(run), "approval.decided")).toMatchObject([{ decision: "deny", source: "run-ended" }]);
    expect(calls).toEqual([]);
  });

  behaviour("apply to the host's own tools as to any other", async (start, { builtin }) => {
    if (builtin === undefined) throw new Error("The harness has no builtin. Add one, or skip this title.");
    const answers: ApprovalAnswer[] = [{ decision: "deny", message: "Not now." }, allow];
    const asking = { mode: "ask", rules: [{ tool: builtin.call.tool, when: { never: "." }, then: "deny" }] } as const;
    const own = { calls: [builtin.call] };
    const options = { policy: createPolicy(asking), approve: () => answers.shift() ?? allow };
    const { runtime, host } = await start([{ steps: [own, own, { say: "done" }] }], options);
    const { projectDir } = builtin;
    const place = projectDir === undefined ? {} : { projectDir };
    const request = { prompt: "go", tools: [echo("a")], builtins: [builtin.call.tool], stepBudget: 4, ...place };
    const events = await collect(runtime.runAgentLoop(request));
    expect(rulesIn(events)).toEqual(["ask by mode:ask", "ask by mode:ask"]);
    expect(ofType(events, "tool.started")).toHaveLength(1);
    expect(ofType(events, "tool.finished")).toMatchObject([{ ok: true }]);
    const [, denied, allowed] = host.sent().map(({ texts }) => texts.join());
    expect(denied).toContain("Not now.");
    expect(denied).not.toContain(builtin.output);
    expect(allowed).toContain(builtin.output);
  });

  behaviour("hide the host's own tools that they disable, and apply the mode to the others", async (start, harness) => {
    const { call: own, output } = harness.builtin ?? { call: call("none"), output: "" };
    const model: ScriptedModel = [{ steps: [{ calls: [own] }, { say: "done" }] }];
    const request = { prompt: "go", tools: [echo("a")], builtins: [own.tool], stepBudget: 3 };
    const reading = await start(model, { policy: createPolicy({ mode: "read-only" }) });
    const events = await collect(reading.runtime.runAgentLoop(request));
    expect(rulesIn(events)).toEqual(["allow by annotation:readOnly"]);
    expect(reading.host.sent()[1]?.texts.join()).toContain(output);
    const without = await start(model, { policy: createPolicy({ disable: [own.tool] }) });
    await without.runtime.runAgentLoop(request).result;
    expect(passedTools(without.host)).toEqual(["a"]);
    expect(without.host.sent()[1]?.texts.join()).not.toContain(output);
  });
}

/** Lists the decisions about the calls, each with its rule. */
function rulesIn(events: Awaited<ReturnType<typeof collect>>): string[] {
  return ofType(events, "tool.evaluated").map(({ decision, rule }) => `${decision} by ${rule}`);
}
