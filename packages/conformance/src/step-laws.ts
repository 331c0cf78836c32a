import { buildTranscript, type RunEvent } from "@bridle/protocol";
import { expect } from "vitest";
import { type Behaviour, collect, ofType } from "./harness.ts";
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

  behaviour("stop at maxTotalTokens with the reason budget", async (start) => {
    const { runtime } = await start([{ steps: [{ calls: [call("a")], forever: true }] }]);
    const run = runtime.runAgentLoop({ prompt: "go", tools: [echo("a")], stepBudget: 50, maxTotalTokens: 1 });
    expect(await run.result).toMatchObject({ stopReason: "budget", steps: 1 });
  });
}

/** The events before and after the only retry. */
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

/** The texts in the transcript. */
function textsIn(events: readonly RunEvent[]): string[] {
  return buildTranscript(events).entries.flatMap((entry) => (entry.kind === "text" ? [entry.text] : []));
}
