import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { collect, createMemoryBackend, interceptAppends, ofType, sleep, until } from "@bridle/conformance";
import {
  type AgentRuntime,
  type LoopRequest,
  RateLimitError,
  type TurnContext,
  UsageLimitError,
} from "@bridle/protocol";
import { describe, expect, test } from "vitest";
import { createApprovalQueue } from "../approvals/approval-queue.ts";
import { createMemoryEventLog } from "../event-log/memory-event-log.ts";
import { createPolicy } from "../policy/policy-rules.ts";
import { createTestBackend, createTestTool, expectLaws, forever, natural, step } from "../runtime/runs-for-tests.ts";
import { createAgentRuntime, type RuntimeOptions } from "../runtime/runtime.ts";

const request: LoopRequest = { prompt: "go", tools: [], stepBudget: 9 };
const inAnHour = () => new UsageLimitError("Used up.", { window: "w", resetsAt: new Date(Date.now() + 3_600_000) });
const soon = () => new UsageLimitError("Used up.", { window: "w", resetsAt: new Date(Date.now() + 150) });

function runtimeOf(turn: (host: TurnContext) => unknown, options: Partial<RuntimeOptions> = {}): AgentRuntime {
  return createAgentRuntime({
    backend: createTestBackend(turn),
    models: { default: "m" },
    limitPace: { noticeMs: 20, spreadMs: 0 },
    ...options,
  });
}

/** Creates a turn that the host refuses once with this error. */
function refusedOnce(error: () => UsageLimitError) {
  return async (host: TurnContext) => {
    await host.awaitLimit(error());
    step(host, "fine");
    return natural;
  };
}

const one = { limits: { maxConcurrency: 1 } };
const wait = { limits: { onUsageLimit: "wait" } } as const;

describe("a run that waits for a person", () => {
  test("leaves its permit to others, and continues after the answer when there is a permit again", async () => {
    const desk = createApprovalQueue();
    const risky = createTestTool("risky", async () => "done", { annotations: { destructive: true } });
    const told: string[] = [];
    const turn = async (host: TurnContext) => {
      const { output } = await host.callTool({ callId: "c", tool: "risky", input: {} });
      told.push(output);
      step(host, "fine");
      return natural;
    };
    const policy = createPolicy({ rules: [{ tool: "risky", then: "ask" }] });
    const runtime = runtimeOf(turn, { ...one, policy, approve: desk.approve });
    const runs = [1, 2, 3].map(() => runtime.runAgentLoop({ ...request, tools: [risky] }));
    for (const run of runs) await until(run, "approval.requested"); // all three, with one permit
    for (const { id, inputHash } of desk.pending) desk.answer(id, { decision: "allow", inputHash });
    for (const run of runs) expect((await run.result).stopReason).toBe("natural");
    expect(told).toEqual(["done", "done", "done"]);
    await runtime.close();
  });
});

describe("a run that waits for a permit", () => {
  test("has started, and ends as soon as it is stopped, aborted or closed", async () => {
    const runtime = runtimeOf(() => forever, one);
    const { signal, abort } = abortable();
    const [first, ...queued] = [undefined, undefined, signal, undefined].map((each) =>
      runtime.runAgentLoop({ ...request, ...(each && { signal: each }) }),
    );
    await sleep(5);
    queued[0]?.stop("enough");
    abort();
    const ends = queued.map(expectLaws);
    const closed = runtime.close();
    for (const end of ends) {
      const { events, result } = await end;
      expect(events.map(({ type }) => type)).toEqual(["run.started", "run.finished"]);
      expect(result).toMatchObject({ stopReason: "stopped", error: { code: "stopped" } });
    }
    await closed;
    expect((await first?.result)?.stopReason).toBe("stopped");
  });

  test("does not use its timeout during the wait", async () => {
    const turn = async (host: TurnContext) => {
      await sleep(300);
      step(host, "fine");
      return natural;
    };
    const runtime = runtimeOf(turn, one);
    const runs = [1, 2, 3].map(() => runtime.runAgentLoop({ ...request, timeoutMs: 800 }));
    for (const run of runs) expect((await run.result).stopReason).toBe("natural");
  });

  test("finds fewer permits after a warning of the host", async () => {
    let inside = 0;
    const counts: number[] = [];
    const turn = async (host: TurnContext) => {
      counts.push(++inside);
      if (counts.length === 1) host.emit({ type: "limit.warned", window: "w" });
      await sleep(5);
      inside -= 1;
      return natural;
    };
    const runtime = runtimeOf(turn, { limits: { maxConcurrency: 4 } });
    await Promise.all([1, 2, 3, 4, 5, 6].map(() => runtime.runAgentLoop(request).result));
    expect(counts.slice(0, 4)).toEqual([1, 2, 3, 4]);
    expect(Math.max(...counts.slice(4))).toBeLessThanOrEqual(2);
  });

  test("finds fewer permits after a run that ended with a RateLimitError", async () => {
    const turns: (() => void)[] = [];
    const turn = (_host: TurnContext) =>
      new Promise((_resolve, reject) => turns.push(() => reject(new RateLimitError("Slow down."))));
    const runtime = runtimeOf(turn, { limits: { maxConcurrency: 2 } });
    const runs = [1, 2, 3].map(() => runtime.runAgentLoop(request));
    await sleep(5);
    turns[0]?.();
    await runs[0]?.result;
    await sleep(5);
    expect(turns).toHaveLength(2);
    turns[1]?.();
    await runs[1]?.result;
    await sleep(5);
    expect(turns).toHaveLength(3);
    await runtime.close();
  });
});

describe("runs that a tool or the policy of a run starts", () => {
  /** The outer run calls the tool once; the inner ones only answer. */
  const nested = async (host: TurnContext, tools: number) => {
    step(host, "fine");
    const calls = Array.from({ length: tools }, (_, index) => `${index}`);
    await Promise.all(calls.map((callId) => host.callTool({ callId, tool: "ask", input: {} })));
    return natural;
  };

  test("borrow the permit of their parent, so that no run waits forever", async () => {
    let depth = 3;
    const runtime = runtimeOf((host) => nested(host, depth-- > 0 ? 1 : 0), one);
    const ask = createTestTool(
      "ask",
      async () => (await runtime.runAgentLoop({ ...request, tools: [ask] }).result).stopReason,
    );
    const run = runtime.runAgentLoop({ ...request, tools: [ask] });
    const events = await collect(run);
    expect(ofType(events, "tool.finished")).toMatchObject([{ output: "natural" }]);
    expect(depth).toBe(-1);
  });

  test("borrow the permit one after another, however many start at once", async () => {
    let inside = 0;
    let max = 0;
    let outer = true;
    const turn = async (host: TurnContext) => {
      if (outer) {
        outer = false;
        return nested(host, 3);
      }
      max = Math.max(max, ++inside);
      await sleep(5);
      inside -= 1;
      return natural;
    };
    const runtime = runtimeOf(turn, one);
    const ask = createTestTool("ask", async () => (await runtime.runAgentLoop(request).result).stopReason, {
      annotations: { readOnly: true },
    });
    expect(await runtime.runAgentLoop({ ...request, tools: [ask] }).result).toMatchObject({
      stopReason: "natural",
      toolFailures: 0,
      toolCalls: 3,
    });
    expect(max).toBe(1);
  });

  test("borrow the permit if a policy asks a model, too", async () => {
    let asked = 0;
    const runtime: AgentRuntime = runtimeOf((host) => (asked++ === 0 ? nested(host, 1) : natural), {
      ...one,
      policy: {
        id: "judge",
        async evaluate() {
          const { stopReason } = await runtime.runAgentLoop(request).result;
          return { decision: stopReason === "natural" ? "allow" : "deny", rule: "judge" };
        },
      },
    });
    const run = runtime.runAgentLoop({ ...request, tools: [createTestTool("ask", async () => "asked")] });
    expect(ofType(await collect(run), "tool.finished")).toMatchObject([{ ok: true, output: "asked" }]);
  });
});

describe("a run that waits for a used-up window", () => {
  test("continues when the window opens, and the wait is logged", async () => {
    const { events, result } = await expectLaws(runtimeOf(refusedOnce(soon), wait).runAgentLoop(request));
    expect(result).toMatchObject({ stopReason: "natural", text: "fine" });
    const types = events.map(({ type }) => type).filter((type) => type.startsWith("limit."));
    expect(types.length).toBeGreaterThan(1); // how many notices fit into the wait depends on the load
    expect(types).toEqual([...Array(types.length - 1).fill("limit.waiting"), "limit.cleared"]);
  });

  test("does not use its timeout, which resumes after the wait", async () => {
    const turn = async (host: TurnContext) => {
      await host.awaitLimit(soon());
      return forever;
    };
    const run = runtimeOf(turn, wait).runAgentLoop({ ...request, timeoutMs: 100 });
    const { events, result } = await expectLaws(run);
    expect(result.error?.code).toBe("timeout");
    expect(ofType(events, "limit.cleared")).toHaveLength(1);
  });

  test("ends as soon as it is stopped, its signal is aborted or the runtime is closed", async () => {
    const runtime = runtimeOf(refusedOnce(inAnHour), wait);
    const { signal, abort } = abortable();
    const runs = [runtime.runAgentLoop(request), runtime.runAgentLoop({ ...request, signal })];
    runs.push(runtime.runAgentLoop(request));
    await Promise.all(runs.map((run) => until(run, "limit.waiting")));
    runs[0]?.stop();
    abort();
    await runtime.close();
    for (const run of runs) expect((await expectLaws(run)).result.stopReason).toBe("stopped");
  });

  test("ends if the event log fails, at the first notice or a later one", async () => {
    for (const fails of [1, 3]) {
      const record = createMemoryEventLog();
      let notices = 0;
      const failing = interceptAppends(record, (append) => (runId, draft, options) => {
        if (draft.type === "limit.waiting" && ++notices === fails) throw new Error("disk full");
        return append(runId, draft, options);
      });
      const runtime = runtimeOf(refusedOnce(inAnHour), { ...wait, eventLog: failing });
      const { result } = await expectLaws(runtime.runAgentLoop(request));
      expect(result.error?.message).toContain("disk full");
    }
  });

  test("ends with the host's error if the runtime does not wait, and then other runs may ask", async () => {
    const error = inAnHour();
    const runtime = runtimeOf(
      refusedOnce(() => error),
      one,
    );
    const runs = [runtime.runAgentLoop(request), runtime.runAgentLoop(request)];
    for (const run of runs) expect((await expectLaws(run)).result.error).toBe(error);
  });

  test("makes the next run of the account wait, even if the refused run could not wait", async () => {
    const backend = createTestBackend(() => Promise.reject(inAnHour()));
    const runtime = runtimeOf(() => natural, { ...wait, backend });
    expect((await runtime.runAgentLoop(request).result).error?.code).toBe("usage_limit");
    const next = runtime.runAgentLoop(request);
    await until(next, "limit.waiting");
    await runtime.close();
    expect(ofType(await collect(next), "model.input")).toEqual([]);
  });

  test("does not wait for an error that is not a usage limit", async () => {
    const turn = (host: TurnContext) => host.awaitLimit(new Error("not a limit") as UsageLimitError);
    const { result } = await expectLaws(runtimeOf(turn, wait).runAgentLoop(request));
    expect(result.error?.message).toContain("not a limit");
  });

  test("keeps its process alive until the run has ended", async () => {
    const child = spawn(
      process.execPath,
      ["--conditions=@bridle/source", "--input-type=module-typescript", "--eval", program],
      { env: {}, stdio: ["ignore", "pipe", "inherit"], cwd: import.meta.dirname },
    );
    const [said, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
    expect(said).toBe("limit.waiting\nlimit.cleared\nnatural\nlimit.waiting\nstopped\n");
    expect(code).toBe(0);
  });
});

const program = `
  const { createAgentRuntime } = await import("../runtime/runtime.ts");
  const { createMemoryBackend } = await import("@bridle/conformance");
  async function run(resetsInSeconds: number, stops: boolean) {
    const backend = createMemoryBackend([{ steps: [{ fail: "usage-limit", resetsInSeconds }, { say: "fine" }] }]);
    const onEvent = ({ type }: { type: string }) => {
      if (type.startsWith("limit.")) console.log(type);
      if (type === "limit.waiting" && stops) setTimeout(() => runtime.close());
    };
    const limits = { onUsageLimit: "wait" } as const;
    const runtime = createAgentRuntime({ backend, models: { default: "m" }, limits, limitPace: { spreadMs: 0 }, onEvent });
    const { stopReason } = await runtime.runAgentLoop({ prompt: "go", tools: [], stepBudget: 1 }).result;
    console.log(stopReason);
    await runtime.close();
  }
  run(0.3, false).then(() => run(3600, true));
`;

test("a runtime with invalid limits is refused", () => {
  const make = () =>
    createAgentRuntime({ backend: createMemoryBackend([]), models: {}, limits: { maxConcurrency: 0 } });
  expect(make).toThrow("limits.maxConcurrency is 0, but must be a whole number from 1.");
});

function abortable(): { signal: AbortSignal; abort(): void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
