import { AbortError, type AnyTool, type BridleError, defineTool, TimeoutError } from "@bridle/protocol";
import { expect } from "vitest";
import { z } from "zod";
import { type Behaviour, collect, ofType, until } from "./harness.ts";
import { call, echo } from "./tools-for-tests.ts";

export function endingLaws(behaviour: Behaviour): void {
  behaviour("comes within a second of stop() while the model is silent", async (start) => {
    const { runtime } = await start([{ steps: [{ say: "Let me", stall: true }] }]);
    const run = runtime.runAgentLoop({ prompt: "go", tools: [], stepBudget: 3 });
    await until(run, "text.delta");
    await expectStopped(run, () => run.stop("enough"));
    expect((await run.result).error?.message).toContain("enough");
  });

  behaviour("comes if stop() is called before anything is sent, and nothing is sent then", async (start) => {
    const { runtime, host } = await start([{ steps: [{ say: "hello" }] }]);
    const run = runtime.runAgentLoop({ prompt: "go", tools: [], stepBudget: 3 });
    await expectStopped(run, () => run.stop());
    await runtime.close();
    expect(host.sent()).toEqual([]);
  });

  behaviour(
    "comes within a second of stop() during a tool call, whose signal is aborted and whose late result is dropped",
    async (start) => {
      const { runtime } = await start([{ steps: [{ calls: [{ tool: "slow", input: {} }] }, { say: "done" }] }]);
      const { tool, release, aborted } = hanging("slow");
      const run = runtime.runAgentLoop({ prompt: "go", tools: [tool], stepBudget: 3 });
      await until(run, "tool.started");
      await expectStopped(run, () => run.stop());
      expect(aborted()).toBe(true);
      release();
      const events = await collect(run);
      expect(ofType(events, "tool.finished")).toMatchObject([{ ok: false }]);
      expect(events.at(-1)?.type).toBe("run.finished");
    },
  );

  behaviour("starts no further tool", async (start) => {
    const { runtime } = await start([
      {
        steps: [
          { calls: [{ tool: "slow", input: {} }, call("a", "1"), call("a", "2")] },
          { calls: [call("a", "3")], forever: true },
        ],
      },
    ]);
    const { tool, release } = hanging("slow");
    const calls: unknown[] = [];
    const run = runtime.runAgentLoop({ prompt: "go", tools: [tool, echo("a", calls)], stepBudget: 9 });
    await until(run, "tool.started");
    run.stop();
    release();
    await runtime.close();
    expect(calls).toEqual([]);
  });

  behaviour(
    "comes when the caller's signal is aborted, with an AbortError that has the reason as its cause",
    async (start) => {
      const { runtime } = await start([{ steps: [{ say: "Let me", stall: true }] }]);
      const aborting = new AbortController();
      const failing = runtime.generateText({ prompt: "go", signal: aborting.signal });
      const cause = new Error("the page was closed");
      setTimeout(() => aborting.abort(cause), 300);
      await expect(failing).rejects.toBeInstanceOf(AbortError);
      await expect(failing).rejects.toMatchObject({ name: "AbortError", code: "stopped", by: "signal", cause });
    },
  );

  behaviour("says who stopped the run", async (start) => {
    const { runtime } = await start([{ steps: [{ say: "Let me", stall: true, forever: true }] }]);
    const shared = { tools: [], stepBudget: 3 };
    const request = { prompt: "go", ...shared };
    const run = runtime.runAgentLoop(request);
    run.stop();
    expect((await run.result).error).toMatchObject({ name: "StoppedError", by: "caller" });
    const session = await runtime.openSession(shared);
    const sent = await session.send("go");
    await session.close();
    expect((await sent.result).error).toMatchObject({ by: "session" });
    const last = runtime.runAgentLoop(request);
    await runtime.close();
    const events = await collect(last);
    expect(ofType(events, "run.finished")[0]?.result.error).toMatchObject({ by: "runtime" });
  });

  behaviour("of a failed text or object has usage, cost and duration in the error", async (start) => {
    const { runtime } = await start([{ steps: [{ object: { name: 7 }, forever: true }] }]);
    const schema = z.object({ name: z.string() });
    const failing = runtime.generateObject({ prompt: "go", schema, schemaRetries: 0 });
    const error = await failing.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "structured_output", durationMs: expect.any(Number) });
    expect((error as BridleError).usage?.outputTokens).toBeGreaterThan(0);
  });

  behaviour("comes at once if the caller's signal is already aborted, and nothing is sent", async (start) => {
    const { runtime, host } = await start([{ steps: [{ say: "hello" }] }]);
    const signal = AbortSignal.abort(new Error("gone"));
    await expect(runtime.generateText({ prompt: "go", signal })).rejects.toThrow("gone");
    expect(host.sent()).toEqual([]);
  });

  behaviour("comes when the time limit has passed, with a TimeoutError", async (start) => {
    const { runtime } = await start([{ steps: [{ say: "Let me", stall: true }] }]);
    const failing = runtime.generateText({ prompt: "go", timeoutMs: 400 });
    await expect(failing).rejects.toBeInstanceOf(TimeoutError);
    await expect(failing).rejects.toMatchObject({ runId: expect.stringMatching(/^run_/) });
  });

  behaviour("keeps the model's text so far", async (start) => {
    const { runtime } = await start([{ steps: [{ say: "So far", stall: true }] }]);
    const run = runtime.runAgentLoop({ prompt: "go", tools: [], stepBudget: 3 });
    await until(run, "text.delta");
    run.stop();
    expect("So far".startsWith((await run.result).text.trim())).toBe(true);
    expect((await run.result).text).not.toBe("");
  });

  behaviour("comes for every run in progress when the runtime is closed", async (start) => {
    const { runtime } = await start([{ steps: [{ say: "Let me", stall: true }] }]);
    const runs = ["one", "two"].map((prompt) => runtime.runAgentLoop({ prompt, tools: [], stepBudget: 3 }));
    await Promise.all(runs.map((run) => until(run, "text.delta")));
    await runtime.close();
    for (const run of runs) expect((await run.result).stopReason).toBe("stopped");
    expect(() => runtime.runAgentLoop({ prompt: "go", tools: [], stepBudget: 1 })).toThrow("closed");
  });

  behaviour("comes for a run without consumers, without an unhandled rejection", async (start) => {
    const { runtime } = await start([{ steps: [{ fail: "invalid-request" }] }]);
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", note);
    runtime.runAgentLoop({ prompt: "go", tools: [], stepBudget: 3 });
    await new Promise((resolve) => setTimeout(resolve, 100));
    await runtime.close();
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });
}

interface Stoppable {
  result: Promise<{ stopReason: string }>;
}

async function expectStopped(run: Stoppable, stop: () => void): Promise<void> {
  const before = performance.now();
  stop();
  expect((await run.result).stopReason).toBe("stopped");
  expect(performance.now() - before).toBeLessThan(1000);
}

function hanging(name: string): { tool: AnyTool; release: () => void; aborted: () => boolean } {
  const { promise, resolve } = Promise.withResolvers<string>();
  let aborted = false;
  const tool = defineTool({
    name,
    description: "Waits.",
    input: z.object({}),
    execute: (_input, { signal }) => {
      signal.addEventListener("abort", () => (aborted = true));
      return promise;
    },
  });
  return { tool, release: () => resolve("late"), aborted: () => aborted };
}
