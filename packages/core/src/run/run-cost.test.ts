/** Tests the cost of a run for all its endings: complete, marked as partial, or unknown. */
import {
  type BackendEvent,
  type Cost,
  noUsage,
  OverloadedError,
  type RunEvent,
  type TurnContext,
} from "@bridle/protocol";
import { expect, test } from "vitest";
import { z } from "zod";
import { describeInterruptedEnd } from "../event-log/interrupted-run.ts";
import {
  begin,
  createTestBackend,
  createTestTool,
  expectLaws,
  forever,
  natural,
  someUsage,
} from "../runtime/runs-for-tests.ts";

const cent: Cost = { usd: 0.01, estimate: false };
const part: Cost = { ...cent, partial: true };
const nothing: Cost = { usd: 0, estimate: false };

/** Sends a complete response for one cent, or for an unknown amount if `cost` is null. */
function respond(host: TurnContext, cost: Cost | null = cent): void {
  host.emit({ type: "step.started" });
  host.emit({ type: "step.finished", usage: someUsage, ...(cost && { cost }) });
}

const call = (tool: string) => ({ callId: "1", tool, input: {} });
const retry: BackendEvent = { type: "retry.scheduled", attempt: 1, maxAttempts: 3, delayMs: 0, reason: "r" };
/** Stops the run of a test. */
let stop = (): void => {};

function stopped(): Promise<never> {
  setImmediate(() => stop());
  return forever;
}

const waits = createTestTool("wait", stopped);
const sleeps = createTestTool("wait", () => forever);
const ready = createTestTool("ready", async () => "ok");

type Turn = (host: TurnContext) => unknown;
const endings: Record<string, [turn: Turn, cost: Cost | undefined]> = {
  "ends naturally": [
    async (host) => {
      respond(host);
      return natural;
    },
    cent,
  ],
  "has a response without a price": [
    async (host) => {
      respond(host);
      respond(host, null);
      return natural;
    },
    part,
  ],
  "has only responses without a price": [
    async (host) => {
      respond(host, null);
      return natural;
    },
    undefined,
  ],
  "is stopped during a tool": [
    async (host) => {
      respond(host);
      await host.callTool(call("wait"));
      return natural;
    },
    cent,
  ],
  "is stopped during the next response": [
    async (host) => {
      respond(host);
      await host.callTool(call("ready"));
      await stopped();
    },
    part,
  ],
  "is stopped before its first response": [stopped, undefined],
  "is stopped during a tool of the host, which may ask a model": [
    async (host) => {
      respond(host);
      await host.authorizeHostTool(call("Read"));
      await stopped();
    },
    part,
  ],
  "reports the cost of a tool of the host": [
    async (host) => {
      respond(host);
      await host.authorizeHostTool(call("Read"));
      host.completeHostTool("1", true, "done");
      host.emit({ type: "usage.reported", usage: someUsage, cost: { ...cent, usd: 0.05 } });
      return natural;
    },
    { ...cent, usd: 0.05 },
  ],
  "repeats a response that broke off": [
    async (host) => {
      host.emit({ type: "step.started" });
      host.emit(retry);
      host.emit({ type: "step.finished", usage: someUsage, cost: cent });
      host.emit({ type: "usage.reported", usage: someUsage, cost: cent });
      return natural;
    },
    part,
  ],
  "repeats a request that was refused before a response": [
    async (host) => {
      host.emit(retry);
      respond(host);
      return natural;
    },
    cent,
  ],
  "fails after a response": [
    async (host) => {
      respond(host);
      throw new OverloadedError("busy");
    },
    cent,
  ],
  "is refused": [
    () => {
      throw new OverloadedError("busy");
    },
    nothing,
  ],
};

test.each(Object.entries(endings))("a run that %s has the cost of what is known", async (_title, [turn, cost]) => {
  const run = begin(createTestBackend(turn), { tools: [waits, ready] });
  stop = run.stop;
  const { result, events } = await expectLaws(run);
  expect(result.cost).toEqual(cost);
  const reported = events.filter((event) => event.type === "usage.reported");
  expect(reported.reduce((sum, { usage }) => sum + usage.outputTokens, 0)).toBe(result.usage.outputTokens);
});

test("a run that reaches its time limit during a tool keeps the cost of its responses", async () => {
  const turn: Turn = async (host) => {
    respond(host);
    await host.callTool(call("wait"));
  };
  const { result } = await expectLaws(begin(createTestBackend(turn), { tools: [sleeps], timeoutMs: 50 }));
  expect(result).toMatchObject({ stopReason: "error", error: { code: "timeout" }, usage: someUsage, cost: cent });
});

test("a run that reaches its token limit keeps the cost of its responses", async () => {
  const turn: Turn = async (host) => {
    respond(host);
    await host.callTool(call("ready"));
  };
  const { result } = await expectLaws(begin(createTestBackend(turn), { tools: [ready], maxTotalTokens: 1 }));
  expect(result).toMatchObject({ stopReason: "budget", usage: someUsage, cost: cent });
  expect(result.cost?.partial).toBeUndefined();
});

test("a cost limit counts responses as they complete, before the host reports a sum", async () => {
  const turn: Turn = async (host) => {
    for (let index = 0; index < 9; index++) respond(host, { ...cent, usd: 0.4 });
    return natural;
  };
  const { result } = await expectLaws(begin(createTestBackend(turn), { maxCostUsd: 1 }));
  expect(result).toMatchObject({ stopReason: "budget", steps: 3 });
});

test.each([
  ["tokens", { maxTotalTokens: 1 }],
  ["dollars", { maxCostUsd: 0.01 }],
  ["steps", { stepBudget: 1 }],
] as const)("an object that does not fit is not requested again if no %s are left", async (_title, budget) => {
  let turns = 0;
  const turn: Turn = async (host) => {
    turns += 1;
    respond(host);
    return { ...natural, object: { population: "many" } };
  };
  const schema = z.object({ population: z.number() });
  const { result } = await expectLaws(begin(createTestBackend(turn), { schema, ...budget }));
  expect(result).toMatchObject({ stopReason: "budget", steps: 1, cost: cent });
  expect(turns).toBe(1);
});

test("the end of a run whose process died has the cost of its responses, as a part", () => {
  const scope = { seq: 1, time: 0, runId: "a" };
  const events: RunEvent[] = [
    { ...scope, type: "step.started", index: 1 },
    { ...scope, type: "step.finished", index: 1, budget: 9, usage: someUsage, cost: cent },
  ];
  expect(describeInterruptedEnd(events, "the process 7").result).toMatchObject({ usage: someUsage, cost: part });
  expect(describeInterruptedEnd([], "the process 7").result).toMatchObject({ usage: noUsage });
  expect(describeInterruptedEnd([], "the process 7").result.cost).toBeUndefined();
});
