import { buildTranscript, type RunEvent } from "@bridle/protocol";
import { expect } from "vitest";
import { type Behaviour, collect, ofType } from "./harness.ts";
import { call, echo } from "./tools-for-tests.ts";

export function stepLaws(behaviour: Behaviour): void {
  behaviour("are the model's responses: three calls in one response are one step", async (stage) => {
    const { runtime } = await stage([
      { steps: [{ calls: [call("a", "1"), call("a", "2"), call("a", "3")] }, { say: "done" }] },
    ]);
    const run = runtime.runAgentLoop({ prompt: "go", tools: [echo("a")], stepBudget: 5 });
    expect(ofType(await collect(run), "step.finished").map(({ index }) => index)).toEqual([1, 2]);
    expect(await run.result).toMatchObject({ steps: 2, toolCalls: 3, toolFailures: 0, stopReason: "natural" });
  });

  behaviour("are as many as there are tool-using responses, and one more for the answer", async (stage) => {
    const using = { calls: [call("a")] };
    const { runtime } = await stage([{ steps: [using, using, using, { say: "done" }] }]);
    const run = runtime.runAgentLoop({ prompt: "go", tools: [echo("a")], stepBudget: 9 });
    expect(await run.result).toMatchObject({ steps: 4, toolCalls: 3, text: "done" });
  });

  behaviour("are exactly as many as the budget when the model never stops", async (stage) => {
    const { runtime } = await stage([{ steps: [{ calls: [call("a")], forever: true }] }]);
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

  behaviour("end naturally when the answer comes in the last step of the budget", async (stage) => {
    const { runtime } = await stage([{ steps: [{ calls: [call("a")] }, { say: "done" }] }]);
    const run = runtime.runAgentLoop({ prompt: "go", tools: [echo("a")], stepBudget: 2 });
    expect(await run.result).toMatchObject({ stopReason: "natural", steps: 2, text: "done" });
  });

  behaviour("go on when a stream is cut after part of its text was shown: that part is void", async (stage) => {
    const { runtime, host } = await stage([
      { steps: [{ say: "Half of an answer", cut: true }, { say: "The answer is 42." }] },
    ]);
    const run = runtime.runAgentLoop({ prompt: "go", tools: [], stepBudget: 1 });
    const events = await collect(run);
    expect(await run.result).toMatchObject({ stopReason: "natural", steps: 1, text: "The answer is 42." });
    expect(host.sent()).toHaveLength(2);
    const [before, after] = aroundRetry(events);
    expect(deltasOf(before)).not.toBe("");
    expect("Half of an answer".startsWith(deltasOf(before))).toBe(true);
    expect(deltasOf(after)).toBe("The answer is 42.");
    expect(stepsIn(before)).toEqual(["step.started"]);
    expect(stepsIn(after)).toEqual(["step.finished"]);
    expect(textsIn(events)).toEqual(["The answer is 42."]);
  });

  behaviour("make no call of a response that was cut, and tell no text twice", async (stage) => {
    const { runtime, host } = await stage([
      { steps: [{ say: "I look.", calls: [call("a")], cut: true }, { calls: [call("a")] }, { say: "done" }] },
    ]);
    const calls: unknown[] = [];
    const run = runtime.runAgentLoop({ prompt: "go", tools: [echo("a", calls)], stepBudget: 2 });
    const events = await collect(run);
    expect(await run.result).toMatchObject({ stopReason: "natural", steps: 2, toolCalls: 1, text: "done" });
    expect(host.sent()).toHaveLength(3);
    expect(calls).toHaveLength(1);
    expect(ofType(events, "retry.scheduled")).toHaveLength(1);
    expect(["done", "I look. done"]).toContain(textsIn(events).join(" ")); // a host may go on after what was complete
  });

  behaviour("finish when the response is complete, before its tools are asked for", async (stage) => {
    const { runtime } = await stage([{ steps: [{ say: "I look.", calls: [call("a")] }, { say: "done" }] }]);
    const events = await collect(runtime.runAgentLoop({ prompt: "go", tools: [echo("a")], stepBudget: 5 }));
    const told = events.map(({ type }) => type).filter((type) => type.startsWith("step.") || type.startsWith("tool."));
    expect(told).toEqual([
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

  behaviour("are told to onStep once each", async (stage) => {
    const { runtime } = await stage([{ steps: [{ calls: [call("a")] }, { say: "done" }] }]);
    const told: number[] = [];
    const onStep = ({ index }: { index: number }) => told.push(index);
    await runtime.runAgentLoop({ prompt: "go", tools: [echo("a")], stepBudget: 5, onStep }).result;
    expect(told).toEqual([1, 2]);
  });

  behaviour("are not disturbed by an onStep that throws: a warning, and the run goes on", async (stage) => {
    const { runtime } = await stage([{ steps: [{ calls: [call("a")] }, { say: "done" }] }]);
    const onStep = () => {
      throw new Error("observer broke");
    };
    const run = runtime.runAgentLoop({ prompt: "go", tools: [echo("a")], stepBudget: 5, onStep });
    const warnings = ofType(await collect(run), "notice").filter(({ code }) => code === "on-step-threw");
    expect(warnings).toHaveLength(2);
    expect(await run.result).toMatchObject({ stopReason: "natural", steps: 2 });
  });

  behaviour("report what they used, and the run reports the sum in deltas", async (stage) => {
    const { runtime } = await stage([{ steps: [{ calls: [call("a")] }, { say: "done" }] }]);
    const run = runtime.runAgentLoop({ prompt: "go", tools: [echo("a")], stepBudget: 5 });
    const events = await collect(run);
    for (const { usage } of ofType(events, "step.finished")) expect(usage.outputTokens).toBeGreaterThan(0);
    const reported = ofType(events, "usage.reported").reduce((sum, { usage }) => sum + usage.outputTokens, 0);
    expect((await run.result).usage.outputTokens).toBe(reported);
  });

  behaviour("stop at maxTotalTokens, as a budget", async (stage) => {
    const { runtime } = await stage([{ steps: [{ calls: [call("a")], forever: true }] }]);
    const run = runtime.runAgentLoop({ prompt: "go", tools: [echo("a")], stepBudget: 50, maxTotalTokens: 1 });
    expect(await run.result).toMatchObject({ stopReason: "budget", steps: 1 });
  });
}

/** What came before the one retry, and after it. */
function aroundRetry(events: readonly RunEvent[]): [RunEvent[], RunEvent[]] {
  expect(ofType(events, "retry.scheduled")).toHaveLength(1);
  const at = events.findIndex(({ type }) => type === "retry.scheduled");
  return [events.slice(0, at), events.slice(at + 1)];
}

function deltasOf(events: readonly RunEvent[]): string {
  return ofType(events, "text.delta")
    .map(({ text }) => text)
    .join("");
}

function stepsIn(events: readonly RunEvent[]): string[] {
  return events.map(({ type }) => type).filter((type) => type.startsWith("step."));
}

/** The texts that stand in the transcript. */
function textsIn(events: readonly RunEvent[]): string[] {
  return buildTranscript(events).entries.flatMap((entry) => (entry.kind === "text" ? [entry.text] : []));
}
