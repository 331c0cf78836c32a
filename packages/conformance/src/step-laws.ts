import { buildTranscript, type RunEvent } from "@bridle/protocol";
import { expect } from "vitest";
import { type Behaviour, collect, ofType, until } from "./harness.ts";
import { call, echo } from "./tools-for-tests.ts";

export function stepLaws(behaviour: Behaviour): void {
  behaviour("are model responses: three calls in one response are one step", async (start) => {
    const { runtime } = await start([
      { steps: [{ calls: [call("a", "1"), call("a", "2"), call("a", "3")] }, { say: "done" }] },
    ]);
    const run = runtime.runAgentLoop({ prompt: "go", tools: [echo("a")], stepBudget: 5 });
    expect(ofType(await collect(run), "step.finished").map(({ index }) => index)).toEqual([1, 2]);
    expect(await run.result).toMatchObject({ steps: 2, toolCalls: 3, toolFailures: 0, stopReason: "natural" });
  });

  behaviour("are counted for each response with tool calls, and for the final answer", async (start) => {
    const using = { calls: [call("a")] };
    const { runtime } = await start([{ steps: [using, using, using, { say: "done" }] }]);
    const run = runtime.runAgentLoop({ prompt: "go", tools: [echo("a")], stepBudget: 9 });
    expect(await run.result).toMatchObject({ steps: 4, toolCalls: 3, text: "done" });
  });

  behaviour("stop at the step budget if the model never stops", async (start) => {
    const { runtime } = await start([{ steps: [{ calls: [call("a")], forever: true }] }]);
    const calls: unknown[] = [];
    const run = runtime.runAgentLoop({ prompt: "go", tools: [echo("a", calls)], stepBudget: 3 });
    const steps = ofType(await collect(run), "step.finished");
    expect(steps.map(({ index, budget }) => [index, budget])).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
    expect(await run.result).toMatchObject({ stopReason: "budget", steps: 3, toolCalls: 3 });
    expect(calls).toHaveLength(3);
  });

  behaviour("end naturally if the answer comes in the last step of the budget", async (start) => {
    const { runtime } = await start([{ steps: [{ calls: [call("a")] }, { say: "done" }] }]);
    const run = runtime.runAgentLoop({ prompt: "go", tools: [echo("a")], stepBudget: 2 });
    expect(await run.result).toMatchObject({ stopReason: "natural", steps: 2, text: "done" });
  });

  behaviour("continue after a stream breaks off, and the text streamed so far is void", async (start) => {
    const { runtime, host } = await start([
      { steps: [{ say: "Half of an answer", cut: true }, { say: "The answer is 42." }] },
    ]);
    const run = runtime.runAgentLoop({ prompt: "go", tools: [], stepBudget: 1 });
    const events = await collect(run);
    expect(await run.result).toMatchObject({ stopReason: "natural", steps: 1, text: "The answer is 42." });
    expect(host.sent()).toHaveLength(2);
    const [before, after] = aroundRetry(events);
    expect(joinDeltas(before)).not.toBe("");
    expect("Half of an answer".startsWith(joinDeltas(before))).toBe(true);
    expect(joinDeltas(after)).toBe("The answer is 42.");
    expect(stepsIn(before)).toEqual(["step.started"]);
    expect(stepsIn(after)).toEqual(["step.finished"]);
    expect(textsIn(events)).toEqual(["The answer is 42."]);
  });

  behaviour("make no call of a response that broke off, and log no text twice", async (start) => {
    const { runtime, host } = await start([
      { steps: [{ say: "I look.", calls: [call("a")], cut: true }, { calls: [call("a")] }, { say: "done" }] },
    ]);
    const calls: unknown[] = [];
    const run = runtime.runAgentLoop({ prompt: "go", tools: [echo("a", calls)], stepBudget: 2 });
    const events = await collect(run);
    expect(await run.result).toMatchObject({ stopReason: "natural", steps: 2, toolCalls: 1, text: "done" });
    expect(host.sent()).toHaveLength(3);
    expect(calls).toHaveLength(1);
    expect(ofType(events, "retry.scheduled")).toHaveLength(1);
    expect(["done", "I look. done"]).toContain(textsIn(events).join(" ")); // a host may continue after completed text
  });

  behaviour("finish when the response is complete, before its tool calls", async (start) => {
    const { runtime } = await start([{ steps: [{ say: "I look.", calls: [call("a")] }, { say: "done" }] }]);
    const events = await collect(runtime.runAgentLoop({ prompt: "go", tools: [echo("a")], stepBudget: 5 }));
    const types = events.map(({ type }) => type).filter((type) => type.startsWith("step.") || type.startsWith("tool."));
    expect(types).toEqual([
      "step.started",
      "step.finished",
      "tool.requested",
      "tool.evaluated",
      "tool.started",
      "tool.finished",
      "step.started",
      "step.finished",
    ]);
  });

  behaviour("call onStep once each", async (start) => {
    const { runtime } = await start([{ steps: [{ calls: [call("a")] }, { say: "done" }] }]);
    const steps: number[] = [];
    const onStep = ({ index }: { index: number }) => steps.push(index);
    await runtime.runAgentLoop({ prompt: "go", tools: [echo("a")], stepBudget: 5, onStep }).result;
    expect(steps).toEqual([1, 2]);
  });

  behaviour("continue with a warning if onStep throws", async (start) => {
    const { runtime } = await start([{ steps: [{ calls: [call("a")] }, { say: "done" }] }]);
    const onStep = () => {
      throw new Error("observer broke");
    };
    const run = runtime.runAgentLoop({ prompt: "go", tools: [echo("a")], stepBudget: 5, onStep });
    const warnings = ofType(await collect(run), "notice").filter(({ code }) => code === "on-step-threw");
    expect(warnings).toHaveLength(2);
    expect(await run.result).toMatchObject({ stopReason: "natural", steps: 2 });
  });

  behaviour("report their usage, and the run reports the sum as differences", async (start) => {
    const { runtime } = await start([{ steps: [{ calls: [call("a")] }, { say: "done" }] }]);
    const run = runtime.runAgentLoop({ prompt: "go", tools: [echo("a")], stepBudget: 5 });
    const events = await collect(run);
    for (const { usage } of ofType(events, "step.finished")) expect(usage.outputTokens).toBeGreaterThan(0);
    const reported = ofType(events, "usage.reported").reduce((sum, { usage }) => sum + usage.outputTokens, 0);
    expect((await run.result).usage.outputTokens).toBe(reported);
  });

  behaviour("count every request: also a response that broke off, with the tokens of its prompt", async (start) => {
    const promptTokens = 1000;
    const steps = [
      { say: "Half of an answer", cut: true, promptTokens },
      { say: "The answer is 42.", promptTokens },
    ];
    const { runtime, host } = await start([{ steps }]);
    const run = runtime.runAgentLoop({ prompt: "go", tools: [], stepBudget: 1 });
    const events = await collect(run);
    expect(host.sent()).toHaveLength(2);
    expect((await run.result).usage.inputTokens).toBe(2 * promptTokens);
    expect(ofType(events, "retry.scheduled")[0]?.usage?.inputTokens).toBe(promptTokens);
    expect(ofType(events, "step.finished")[0]?.usage.inputTokens).toBe(promptTokens);
  });

  behaviour("have a cost that says it is a part, or none, if a response broke off", async (start) => {
    const { runtime } = await start([
      { prompt: "broken", steps: [{ say: "Half of an answer", cut: true }, { say: "The answer is 42." }] },
      { prompt: "whole", steps: [{ say: "The answer is 42." }] },
    ]);
    const { cost } = await runtime.generateText({ prompt: "broken" });
    if (cost) expect(cost.partial).toBe(true);
    const whole = await runtime.generateText({ prompt: "whole" });
    expect(whole.cost?.partial).toBeUndefined();
  });

  behaviour("stop at maxTotalTokens with the reason budget", async (start) => {
    const { runtime } = await start([{ steps: [{ calls: [call("a")], forever: true }] }]);
    const run = runtime.runAgentLoop({ prompt: "go", tools: [echo("a")], stepBudget: 50, maxTotalTokens: 1 });
    expect(await run.result).toMatchObject({ stopReason: "budget", steps: 1 });
  });

  behaviour("keep their tokens and cost if the run ends between two responses", async (start) => {
    const { runtime } = await start([{ steps: [{ calls: [call("a")], forever: true, promptTokens: 1000 }] }]);
    for (const ending of [{ maxTotalTokens: 1 }, {}]) {
      const slow = { ...echo("a"), execute: () => new Promise<string>(() => {}) };
      const run = runtime.runAgentLoop({ prompt: "go", tools: [slow], stepBudget: 50, ...ending });
      await until(run, "tool.started");
      run.stop(); // has no effect if the run has ended
      const events = await collect(run);
      const { usage, cost } = await run.result;
      const [step] = ofType(events, "step.finished");
      expect(usage).toEqual(step?.usage);
      expect(usage.inputTokens).toBe(1000);
      expect(cost).toEqual(step?.cost);
      expect(ofType(events, "usage.reported").map((report) => report.cost)).toEqual([step?.cost]);
    }
  });

  behaviour("have a cost that says it is a part, or none, if the run is stopped during a response", async (start) => {
    const { runtime } = await start([{ steps: [{ calls: [call("a")] }, { say: "Let me", stall: true }] }]);
    const run = runtime.runAgentLoop({ prompt: "go", tools: [echo("a")], stepBudget: 5 });
    await until(run, "text.delta");
    run.stop();
    const { cost, usage } = await run.result;
    expect(usage.outputTokens).toBeGreaterThan(0);
    if (cost) expect(cost.partial).toBe(true);
  });
}

/** Returns the events before and after the only retry. */
function aroundRetry(events: readonly RunEvent[]): [RunEvent[], RunEvent[]] {
  expect(ofType(events, "retry.scheduled")).toHaveLength(1);
  const at = events.findIndex(({ type }) => type === "retry.scheduled");
  return [events.slice(0, at), events.slice(at + 1)];
}

function joinDeltas(events: readonly RunEvent[]): string {
  return ofType(events, "text.delta")
    .map(({ text }) => text)
    .join("");
}

function stepsIn(events: readonly RunEvent[]): string[] {
  return events.map(({ type }) => type).filter((type) => type.startsWith("step."));
}

/** Returns the texts in the transcript. */
function textsIn(events: readonly RunEvent[]): string[] {
  return buildTranscript(events).entries.flatMap((entry) => (entry.kind === "text" ? [entry.text] : []));
}
