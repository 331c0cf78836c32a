import type { TurnContext } from "@bridle/protocol";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  begin,
  createTestBackend,
  createTestConversation,
  createTestTool,
  expectLaws,
  forever,
  natural,
  step,
} from "../runtime/runs-for-tests.ts";

const unhandled: unknown[] = [];
const note = (reason: unknown) => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", note));
afterAll(async () => {
  await pause(20);
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});

describe("a run ends in an error when the backend", () => {
  const thrown = (value: unknown) => () => {
    throw value;
  };
  const openings: Record<string, [open: () => unknown, message: string]> = {
    "throws while it opens": [thrown(new Error("no host")), "no host"],
    "throws nothing while it opens": [thrown(undefined), "no reason was given"],
    "rejects with a text while it opens": [async () => Promise.reject("no host"), "no host"],
    "rejects with an object without a prototype": [async () => Promise.reject(Object.create(null)), "{}"],
    "opens nothing": [async () => undefined, "undefined"],
    "opens something without promptContext": [async () => ({ close() {} }), "promptContext"],
  };
  for (const [title, [open, message]] of Object.entries(openings)) {
    test(title, async () => {
      const { result } = await expectLaws(begin(createTestBackend(async () => natural, { open: open as never })));
      expect(result).toMatchObject({ stopReason: "error", steps: 0, error: { code: "backend_crash" } });
      expect(result.error?.message).toContain(message);
    });
  }

  const turns: Record<string, [turn: (host: TurnContext) => unknown, message: string]> = {
    "throws in a turn": [thrown(new Error("broken")), "broken"],
    "rejects a turn with undefined": [async () => Promise.reject(undefined), "no reason was given"],
    "rejects a turn after its first text": [
      async (host) => {
        step(host, "half");
        throw new Error("cut off");
      },
      "cut off",
    ],
    "makes a tool call without a name": [
      async (host) => {
        step(host);
        await host.callTool({ callId: "1", tool: 7 } as never);
        return natural;
      },
      'a tool call of {"callId":"1","tool":7}',
    ],
    "authorizes a host tool without a call": [
      async (host) => {
        await host.authorizeHostTool(undefined as never);
        return natural;
      },
      "a tool call of nothing",
    ],
    "ends a turn with undefined": [async () => undefined, "ended a turn with nothing"],
    "ends a turn with an unknown reason": [async () => ({ reason: "tired" }), '{"reason":"tired"}'],
    "rejects with a frozen error": [async () => Promise.reject(Object.freeze(new Error("ice"))), "ice"],
  };
  for (const [title, [turn, message]] of Object.entries(turns)) {
    test(title, async () => {
      const { result } = await expectLaws(begin(createTestBackend(turn)));
      expect(result).toMatchObject({ stopReason: "error", error: { code: "backend_crash" } });
      expect(result.error?.message).toContain(message);
    });
  }
});

describe("a run that is stopped ends", () => {
  test("if the backend never opens", async () => {
    const run = begin(createTestBackend(async () => natural, { open: () => forever }));
    run.stop("enough");
    expect((await expectLaws(run)).result.stopReason).toBe("stopped");
  });

  test("if a turn never ends", async () => {
    const run = begin(createTestBackend(() => forever));
    setTimeout(() => run.stop(), 10);
    expect((await expectLaws(run)).result.stopReason).toBe("stopped");
  });

  test("and closes a conversation that opens afterwards, without sending in it", async () => {
    const opened = Promise.withResolvers<ReturnType<typeof createTestConversation>>();
    const turn = vi.fn(async () => natural);
    const close = vi.fn(async () => {});
    const run = begin(createTestBackend(turn, { open: () => opened.promise }));
    await pause(5);
    run.stop();
    await expectLaws(run);
    opened.resolve(createTestConversation(turn, { close }));
    await pause(10);
    expect(close).toHaveBeenCalledTimes(1);
    expect(turn).not.toHaveBeenCalled();
  });

  test("with the first reason, however often and from wherever it is stopped", async () => {
    const run = begin(
      createTestBackend((host) => {
        host.signal.addEventListener("abort", () => run.stop("third"));
        return forever;
      }),
    );
    await pause(5);
    run.stop("first");
    run.stop("second");
    const { result } = await expectLaws(run);
    expect(result.error?.message).toContain("first");
    run.stop("fourth");
    expect(await run.result).toBe(result);
  });

  test("with any reason of an abort signal", async () => {
    for (const reason of [undefined, "text", Object.create(null), new Error("error")]) {
      const controller = new AbortController();
      const run = begin(
        createTestBackend(() => forever),
        { signal: controller.signal },
      );
      controller.abort(reason);
      expect((await expectLaws(run)).result.stopReason).toBe("stopped");
    }
  });
});

describe("an event from a backend", () => {
  test("after the end changes nothing", async () => {
    const late = Promise.withResolvers<TurnContext>();
    const run = begin(
      createTestBackend(async (host) => {
        step(host, "answer");
        late.resolve(host);
        return natural;
      }),
    );
    const { events } = await expectLaws(run);
    const host = await late.promise;
    step(host, "more");
    host.completeHostTool("x", true, "");
    host.reportRefused({ callId: "x", tool: "x", input: 1 }, "no");
    expect(await host.callTool({ callId: "1", tool: "t", input: {} })).toMatchObject({ isError: true });
    expect(await host.authorizeHostTool({ callId: "2", tool: "Read", input: {} })).toMatchObject({ allow: false });
    expect((await expectLaws(run)).events).toEqual(events);
  });

  test("at the moment of a stop is ignored", async () => {
    const run = begin(
      createTestBackend((host) => {
        step(host, "before");
        run.stop();
        step(host, "after");
        return forever;
      }),
    );
    expect((await expectLaws(run)).result).toMatchObject({ stopReason: "stopped", text: "before", steps: 1 });
  });

  test("beyond the step budget ends the run and is not part of its text", async () => {
    const turn = async (host: TurnContext) => {
      for (let index = 1; index <= 5; index++) step(host, `step ${index}`);
      return natural;
    };
    const { events, result } = await expectLaws(begin(createTestBackend(turn), { stepBudget: 2 }));
    expect(result).toMatchObject({ stopReason: "budget", steps: 2, text: "step 2" });
    expect(events.filter(({ type }) => type === "step.started")).toHaveLength(2);
  });

  test("with costs ends the run at the next step if the budget is spent", async () => {
    const turn = async (host: TurnContext) => {
      for (let index = 1; index <= 5; index++) {
        step(host, `step ${index}`);
        host.emit({ type: "usage.reported", usage: usageOf(1), cost: { usd: 0.4, estimate: false } });
      }
      return natural;
    };
    const { result } = await expectLaws(begin(createTestBackend(turn), { maxCostUsd: 1 }));
    expect(result).toMatchObject({ stopReason: "budget", steps: 3 });
  });

  test("of an unknown or invalid form is dropped with a notice", async () => {
    const odd: unknown[] = [
      undefined,
      null,
      "text.delta",
      { type: "text.delta" },
      { type: "text.delta", text: 5 },
      { type: "text.delta", text: "x", seq: 99 },
      { type: "made.up", text: "x" },
      { type: "run.finished", result: {}, durationMs: 0 },
      { type: "tool.started", callId: "x" },
      { type: "usage.reported", usage: { inputTokens: Number.NaN } },
      { type: "step.finished" },
    ];
    const turn = async (host: TurnContext) => {
      for (const event of odd) host.emit(event as never);
      step(host, "fine");
      return natural;
    };
    const { events, result } = await expectLaws(begin(createTestBackend(turn)));
    const notices = events.filter((event) => event.type === "notice" && event.code === "backend-event-dropped");
    expect(notices).toHaveLength(odd.length);
    expect(result).toMatchObject({ stopReason: "natural", text: "fine", steps: 1 });
  });

  test("for the end of a step without its start counts no step", async () => {
    const turn = async (host: TurnContext) => {
      host.emit({ type: "step.finished", usage: usageOf(5) });
      return natural;
    };
    const { events, result } = await expectLaws(begin(createTestBackend(turn)));
    expect(result.steps).toBe(0);
    expect(events.map(({ type }) => type)).not.toContain("step.finished");
  });

  test("that repeats the end of the turn counts once", async () => {
    const turn = () =>
      new Promise((resolve) => {
        resolve(natural);
        resolve({ reason: "budget" });
      });
    expect((await expectLaws(begin(createTestBackend(turn)))).result.stopReason).toBe("natural");
  });
});

describe("the timeout of a run", () => {
  test("ends the run, even while the backend opens", async () => {
    const run = begin(
      createTestBackend(async () => natural, { open: () => forever }),
      { timeoutMs: 20 },
    );
    expect((await expectLaws(run)).result).toMatchObject({ stopReason: "error", error: { code: "timeout" } });
  });

  test("does not fire at once if a timer cannot hold its value", async () => {
    const turn = async (host: TurnContext) => {
      await pause(20);
      step(host, "slow");
      return natural;
    };
    const { result } = await expectLaws(begin(createTestBackend(turn), { timeoutMs: 2 ** 40 }));
    expect(result.stopReason).toBe("natural");
  });

  for (const timeoutMs of [0, -5, Number.NaN, Number.POSITIVE_INFINITY]) {
    test(`of ${timeoutMs} ms is refused before anything is sent`, () => {
      expect(() =>
        begin(
          createTestBackend(() => forever),
          { timeoutMs },
        ),
      ).toThrow(`timeoutMs is ${timeoutMs}`);
    });
  }
});

test("a turn that ends while a tool runs ends the run and aborts the signal of the tool", async () => {
  let aborted = false;
  const tool = createTestTool("slow", (_input, { signal }) => {
    signal.addEventListener("abort", () => (aborted = true));
    return forever;
  });
  const turn = async (host: TurnContext) => {
    step(host);
    void host.callTool({ callId: "1", tool: "slow", input: {} });
    await pause(10);
    return natural;
  };
  const { result } = await expectLaws(begin(createTestBackend(turn), { tools: [tool] }));
  expect(result).toMatchObject({ stopReason: "natural", toolCalls: 1, toolFailures: 1 });
  expect(aborted).toBe(true);
});

function usageOf(outputTokens: number) {
  return { inputTokens: 0, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0 };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
