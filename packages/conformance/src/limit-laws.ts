import type { RuntimeOptions } from "@bridle/core";
import type { RunEvent } from "@bridle/protocol";
import { expect } from "vitest";
import { type Behaviour, collect, ofType, until } from "./harness.ts";
import type { ScriptedModel } from "./scripted-model.ts";
import { call, echo } from "./tools-for-tests.ts";

/**
 * The usage window is used up at the first request. It opens after four seconds, so that even a host on a slow machine has reported the
 * limit by then.
 */
const usedUpOnce: ScriptedModel = [{ steps: [{ fail: "usage-limit", resetsInSeconds: 4 }, { say: "after" }] }];

const waiting = {
  limits: { onUsageLimit: "wait" },
  limitPace: { noticeMs: 300, spreadMs: 50 },
} satisfies Partial<RuntimeOptions>;

const text = { prompt: "go", tools: [], stepBudget: 3 };

export function limitLaws(behaviour: Behaviour): void {
  behaviour(
    "with a used-up window is waited for if the caller chose it, and then answers the same request",
    async (start) => {
      const { runtime, host } = await start(usedUpOnce, waiting);
      const run = runtime.runAgentLoop(text);
      const events = await collect(run);
      const waits = ofType(events, "limit.waiting");
      const window = { window: expect.any(String), resetsAt: expect.any(Number), reason: "usage-limit" };
      for (const wait of waits) expect(wait).toMatchObject(window);
      const remaining = waits.map(({ remainingMs }) => remainingMs);
      expect(remaining.length).toBeGreaterThan(1);
      expect(remaining).toEqual([...new Set(remaining)].sort((a, b) => b - a));
      expect(filterTypes(events, ["limit.waiting", "limit.cleared", "step.started"]).slice(-2)).toEqual([
        "limit.cleared",
        "step.started",
      ]);
      expect(ofType(events, "limit.cleared")).toMatchObject([{ window: waits[0]?.window }]);
      expect(await run.result).toMatchObject({ stopReason: "natural", text: "after", steps: 1 });
      const [first, ...again] = host.sent().map(({ texts }) => texts.filter((each) => each.includes("go")));
      expect(again).toEqual([first]);
    },
  );

  behaviour("gets no request while a run waits, and stopping the run ends the wait", async (start) => {
    const model: ScriptedModel = [{ steps: [{ fail: "usage-limit", resetsInSeconds: 3600 }, { say: "after" }] }];
    const { runtime, host } = await start(model, waiting);
    const run = runtime.runAgentLoop(text);
    await until(run, "limit.waiting");
    run.stop("enough");
    expect(await run.result).toMatchObject({ stopReason: "stopped", steps: 0 });
    expect(ofType(await collect(run), "limit.cleared")).toEqual([]);
    expect(host.sent()).toHaveLength(1);
  });

  behaviour("holds queued and new runs while one waits, and answers all of them afterwards", async (start) => {
    const { runtime, host } = await start(usedUpOnce, { ...waiting, limits: { ...waiting.limits, maxConcurrency: 1 } });
    const first = runtime.runAgentLoop(text);
    const queued = runtime.runAgentLoop(text);
    await until(first, "limit.waiting");
    const later = runtime.generateText({ prompt: "go" });
    expect(await Promise.all([first.result, queued.result, later])).toMatchObject([
      ...[first, queued].map(() => ({ stopReason: "natural", text: "after" })),
      { text: "after" },
    ]);
    expect(ofType(await collect(queued), "limit.waiting")).not.toEqual([]);
    expect(host.sent()).toHaveLength(4);
  });

  behaviour("gets at most maxConcurrency requests at a time", async (start) => {
    let inside = 0;
    const counts: number[] = [];
    const onEvent = ({ type }: RunEvent) => {
      if (type === "model.input") counts.push(++inside);
      if (type === "run.finished") inside -= 1;
    };
    const { runtime } = await start([{ steps: [{ say: "fine" }] }], { limits: { maxConcurrency: 2 }, onEvent });
    const runs = Array.from({ length: 5 }, () => runtime.runAgentLoop(text));
    for (const run of runs) expect((await run.result).stopReason).toBe("natural");
    expect(counts).toHaveLength(5);
    expect(Math.max(...counts)).toBe(2);
  });

  behaviour("that is used up after a tool call repeats no effect", async (start) => {
    const steps = [{ calls: [call("a")] }, { fail: "usage-limit" as const, resetsInSeconds: 2 }, { say: "after" }];
    const { runtime } = await start([{ steps }], waiting);
    const calls: unknown[] = [];
    const run = runtime.runAgentLoop({ prompt: "go", tools: [echo("a", calls)], stepBudget: 3 });
    const { stopReason, error } = await run.result;
    expect(calls).toHaveLength(1);
    expect([stopReason, error?.code]).toEqual(
      stopReason === "natural" ? ["natural", undefined] : ["error", "usage_limit"],
    );
  });
}

function filterTypes(events: readonly RunEvent[], types: readonly RunEvent["type"][]): string[] {
  return events.map(({ type }) => type).filter((type) => types.includes(type));
}
