import { createApprovalQueue, createMemoryEventLog, createPolicy, sha256 } from "@bridle/core";
import type { ApprovalAnswer, Approver, Policy } from "@bridle/protocol";
import { expect, vi } from "vitest";
import { type Behaviour, collect, ofType } from "./harness.ts";
import type { ScriptedModel } from "./scripted-model.ts";
import { call, echo } from "./tools-for-tests.ts";

const allow: ApprovalAnswer = { decision: "allow" };

/** A model that makes these calls in one response, and then ends. */
function calling(...calls: { tool: string; input: unknown }[]): ScriptedModel {
  return [{ steps: [{ calls }, { say: "done" }] }];
}

export function policyLaws(behaviour: Behaviour): void {
  behaviour("that deny a call keep it from running, and tell the model why in its next step", async (stage) => {
    const policy = createPolicy({ mode: "yolo", rules: [{ tool: "a", when: { value: "^drop" }, then: "deny" }] });
    const { runtime, host } = await stage(calling(call("a", "drop all"), call("a", "look")), { policy });
    const calls: unknown[] = [];
    const run = runtime.runAgentLoop({ prompt: "go", tools: [echo("a", calls)], stepBudget: 3 });
    const events = await collect(run);
    expect(calls).toEqual([{ value: "look" }]);
    expect(rulesIn(events)).toEqual(["deny by rules[0] a", "allow by mode:yolo"]);
    expect(host.sent()[1]?.texts).toContain(ofType(events, "tool.denied")[0]?.output);
    expect(ofType(events, "tool.denied")[0]?.output).toContain("not allowed (rules[0] a)");
    expect(await run.result).toMatchObject({ stopReason: "natural", toolCalls: 2, toolFailures: 1 });
  });

  behaviour("that fail, or decide what has no meaning, deny", async (stage) => {
    const policy: Policy = {
      id: "test",
      evaluate: ({ tool }) => {
        if (tool === "a") throw new Error("the rules are broken");
        return { decision: "maybe" as "allow", rule: "odd" };
      },
    };
    const { runtime, host } = await stage(calling(call("a"), call("b")), { policy });
    const calls: unknown[] = [];
    const tools = [echo("a", calls), echo("b", calls)];
    const run = runtime.runAgentLoop({ prompt: "go", tools, stepBudget: 3 });
    expect(rulesIn(await collect(run))).toEqual(["deny by policy-failed", "deny by policy-failed"]);
    expect(calls).toEqual([]);
    expect(host.sent().at(-1)?.texts.join()).toContain("the rules are broken");
    expect((await run.result).stopReason).toBe("natural");
  });

  behaviour("are on record: the run names them by their hash, and each call the one that decided", async (stage) => {
    const record = createMemoryEventLog();
    const policy = createPolicy({
      mode: "read-only",
      rules: [{ tool: "a", when: { value: "^secret" }, then: "deny" }],
    });
    const { runtime, host } = await stage(calling(call("a", "x"), call("a", "secret"), call("b")), {
      policy,
      eventLog: record,
    });
    const calls: unknown[] = [];
    const tools = [echo("a", calls, { readOnly: true }), echo("b", calls)];
    const events = await collect(runtime.runAgentLoop({ prompt: "go", tools, stepBudget: 3 }));
    const [started] = ofType(events, "run.started");
    expect(started?.policy).toBe(sha256(record.artifact(started?.policy ?? "") ?? ""));
    expect(JSON.parse(record.artifact(policy.id) ?? "")).toMatchObject({ mode: "read-only" });
    expect(rulesIn(events).sort()).toEqual([
      "allow by annotation:readOnly",
      "deny by mode:read-only",
      "deny by rules[0] a",
    ]);
    expect(calls).toEqual([{ value: "x" }]);
    expect(host.sent().at(-1)?.texts.join()).toContain("Say what you would do instead of doing it.");
  });

  behaviour("that disable a tool take it from the model, and refuse a call of it all the same", async (stage) => {
    const policy = createPolicy({ mode: "yolo", disable: ["b"] });
    const { runtime, host } = await stage(calling(call("b"), call("a")), { policy });
    const calls: unknown[] = [];
    const tools = [echo("a", calls), echo("b", calls)];
    const run = runtime.runAgentLoop({ prompt: "go", tools, stepBudget: 3 });
    expect(ofType(await collect(run), "tool.denied")).toHaveLength(1);
    expect(host.sent().flatMap(({ tools }) => tools.map(({ name }) => name))).toEqual(["a", "a"]);
    expect(calls).toHaveLength(1);
  });

  behaviour("that ask deny where nobody can be asked, and the model is told so", async (stage) => {
    const { runtime, host } = await stage(calling(call("a")), { policy: createPolicy() });
    const calls: unknown[] = [];
    const events = await collect(runtime.runAgentLoop({ prompt: "go", tools: [echo("a", calls)], stepBudget: 3 }));
    expect(calls).toEqual([]);
    expect(rulesIn(events)).toEqual(["deny by default"]);
    expect(ofType(events, "approval.requested")).toEqual([]);
    expect(host.sent()[1]?.texts.join()).toContain("nobody can be asked in this run");
  });

  behaviour("that ask run once what a person allows; question and answer are on record before", async (stage) => {
    const approve: Approver = ({ callId: _, ...asked }) => ({ ...allow, inputHash: asked.inputHash, by: "ada" });
    const { runtime, host } = await stage(calling(call("a", "1")), { policy: createPolicy(), approve });
    const calls: unknown[] = [];
    const events = await collect(runtime.runAgentLoop({ prompt: "go", tools: [echo("a", calls)], stepBudget: 3 }));
    expect(calls).toEqual([{ value: "1" }]);
    expect(rulesIn(events)).toEqual(["ask by default"]);
    expect(events.map(({ type }) => type).filter((type) => /^(tool|approval)\./.test(type))).toEqual([
      ...["tool.requested", "tool.evaluated", "approval.requested", "approval.decided"],
      ...["tool.started", "tool.finished"],
    ]);
    expect(ofType(events, "approval.decided")).toMatchObject([{ decision: "allow", source: "answer", by: "ada" }]);
    expect(host.sent()[1]?.texts).toContain("a says 1");
  });

  behaviour("let a person change the input: the tool gets it, and the model is told", async (stage) => {
    const approve: Approver = () => ({ ...allow, input: { value: "mended" } });
    const { runtime, host } = await stage(calling(call("a", "broken")), { policy: createPolicy(), approve });
    const calls: unknown[] = [];
    const events = await collect(runtime.runAgentLoop({ prompt: "go", tools: [echo("a", calls)], stepBudget: 3 }));
    expect(calls).toEqual([{ value: "mended" }]);
    const [finished] = ofType(events, "tool.finished");
    expect(finished?.output).toMatch(/A person changed the input.*\{"value":"mended"\}.*a says mended/s);
    expect(host.sent()[1]?.texts).toContain(finished?.output);
  });

  behaviour("let a person's denial go to the model in its words, and another end the run", async (stage) => {
    const twice = { calls: [call("a")], forever: true };
    const answers: ApprovalAnswer[] = [
      { decision: "deny", message: "Not on a Friday." },
      { decision: "deny-and-stop", message: "Enough." },
    ];
    const approve: Approver = () => answers.shift() ?? allow;
    const { runtime, host } = await stage([{ steps: [twice] }], { policy: createPolicy(), approve });
    const calls: unknown[] = [];
    const run = runtime.runAgentLoop({ prompt: "go", tools: [echo("a", calls)], stepBudget: 9 });
    const result = await run.result;
    expect(result).toMatchObject({ stopReason: "stopped", error: { message: expect.stringContaining("Enough.") } });
    expect(calls).toEqual([]);
    expect(host.sent()).toHaveLength(2);
    expect(host.sent()[1]?.texts.join()).toContain("Not on a Friday.");
  });

  behaviour("may leave several questions open, and each answer counts for its call", async (stage) => {
    const desk = createApprovalQueue();
    const options = { policy: createPolicy({ mode: "ask" }), approve: desk.approve };
    const { runtime, host } = await stage(calling(call("r", "1"), call("r", "2"), call("r", "3")), options);
    const calls: unknown[] = [];
    const tools = [echo("r", calls, { readOnly: true })];
    const run = runtime.runAgentLoop({ prompt: "go", tools, stepBudget: 3 });
    await vi.waitFor(() => expect(desk.pending).toHaveLength(3), { timeout: 60_000 });
    for (const { id, inputHash, input } of desk.pending.toReversed()) {
      desk.answer(id, { inputHash, decision: JSON.stringify(input).includes("2") ? "deny" : "allow" });
    }
    const events = await collect(run);
    expect(calls).toEqual(expect.arrayContaining([{ value: "1" }, { value: "3" }]));
    expect(calls).toHaveLength(2);
    const [denied] = ofType(events, "tool.denied");
    const requested = ofType(events, "tool.requested").find(({ callId }) => callId === denied?.callId);
    expect(requested?.input).toEqual({ value: "2" });
    const texts = host.sent().at(-1)?.texts.slice(-3);
    const refusal = expect.stringContaining("not allowed by the person"); // in what order results are told is the host's
    expect(texts).toEqual(expect.arrayContaining(["r says 1", refusal, "r says 3"]));
  });

  behaviour("run what is allowed in the model's order, whatever the order of the answers", async (stage) => {
    const desk = createApprovalQueue();
    const options = { policy: createPolicy(), approve: desk.approve };
    const { runtime } = await stage(calling(call("w", "1"), call("w", "2"), call("w", "3")), options);
    const calls: unknown[] = [];
    const run = runtime.runAgentLoop({ prompt: "go", tools: [echo("w", calls)], stepBudget: 3 });
    await vi.waitFor(() => expect(desk.pending).toHaveLength(3), { timeout: 60_000 });
    for (const { id, inputHash } of desk.pending.toReversed()) desk.answer(id, { ...allow, inputHash });
    await run.result;
    expect(calls).toEqual([{ value: "1" }, { value: "2" }, { value: "3" }]);
  });

  behaviour("leave no question open when the run is stopped, and no late answer lets a call run", async (stage) => {
    const desk = createApprovalQueue();
    const { runtime } = await stage(calling(call("a")), { policy: createPolicy(), approve: desk.approve });
    const calls: unknown[] = [];
    const run = runtime.runAgentLoop({ prompt: "go", tools: [echo("a", calls)], stepBudget: 3 });
    await vi.waitFor(() => expect(desk.pending).toHaveLength(1), { timeout: 60_000 });
    const [{ id, inputHash } = { id: "", inputHash: "" }] = desk.pending;
    run.stop();
    expect((await run.result).stopReason).toBe("stopped");
    expect(desk.pending).toEqual([]);
    expect(desk.answer(id, { ...allow, inputHash }).accepted).toBe(false);
    expect(ofType(await collect(run), "approval.decided")).toMatchObject([{ decision: "deny", source: "run-ended" }]);
    expect(calls).toEqual([]);
  });

  behaviour("hold for a tool of the host's own as for any other", async (stage, { builtin }) => {
    if (builtin === undefined) throw new Error("The harness names no tool of the host's own; skip this by its title.");
    const answers: ApprovalAnswer[] = [{ decision: "deny", message: "Not now." }, allow];
    const asking = { mode: "ask", rules: [{ tool: builtin.call.tool, when: { never: "." }, then: "deny" }] } as const;
    const own = { calls: [builtin.call] };
    const options = { policy: createPolicy(asking), approve: () => answers.shift() ?? allow };
    const { runtime, host } = await stage([{ steps: [own, own, { say: "done" }] }], options);
    const request = { prompt: "go", tools: [echo("a")], builtins: [builtin.call.tool], stepBudget: 4 };
    const events = await collect(runtime.runAgentLoop(request));
    expect(rulesIn(events)).toEqual(["ask by mode:ask", "ask by mode:ask"]);
    expect(ofType(events, "tool.started")).toHaveLength(1);
    expect(ofType(events, "tool.finished")).toMatchObject([{ ok: true }]);
    const [, denied, allowed] = host.sent().map(({ texts }) => texts.join());
    expect(denied).toContain("Not now.");
    expect(denied).not.toContain(builtin.output);
    expect(allowed).toContain(builtin.output);
  });

  behaviour(
    "take from the model a tool of the host's own that they disable, and let the mode judge it",
    async (stage, harness) => {
      const { call: own, output } = harness.builtin ?? { call: call("none"), output: "" };
      const model: ScriptedModel = [{ steps: [{ calls: [own] }, { say: "done" }] }];
      const request = { prompt: "go", tools: [echo("a")], builtins: [own.tool], stepBudget: 3 };
      const reading = await stage(model, { policy: createPolicy({ mode: "read-only" }) });
      const events = await collect(reading.runtime.runAgentLoop(request));
      expect(rulesIn(events)).toEqual(["allow by annotation:readOnly"]);
      expect(reading.host.sent()[1]?.texts.join()).toContain(output);
      const without = await stage(model, { policy: createPolicy({ disable: [own.tool] }) });
      await without.runtime.runAgentLoop(request).result;
      expect(without.host.sent()[0]?.tools.map(({ name }) => name)).toEqual(["a"]);
      expect(without.host.sent()[1]?.texts.join()).not.toContain(output);
    },
  );
}

/** The decisions on the calls, each with what made it. */
function rulesIn(events: Awaited<ReturnType<typeof collect>>): string[] {
  return ofType(events, "tool.evaluated").map(({ decision, rule }) => `${decision} by ${rule}`);
}
