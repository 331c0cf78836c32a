import { ofType } from "@bridle/conformance";
import type { AnyTool, Policy, RunEvent, ToolCall, ToolReply, TurnContext } from "@bridle/protocol";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import {
  begin,
  createTestBackend,
  createTestTool,
  type EndedRun,
  expectLaws,
  forever,
  natural,
  step,
} from "../runtime/runs-for-tests.ts";

const ok = async () => "ok";

describe("a tool that", () => {
  const odd: Record<string, [execute: () => unknown, output: string | RegExp, succeeds?: boolean]> = {
    "rejects with undefined": [async () => Promise.reject(undefined), "no reason was given"],
    "throws at once": [
      () => {
        throw new Error("at once");
      },
      "at once",
    ],
    "returns undefined": [async () => undefined, "t returned nothing"],
    "returns null": [async () => null, "t returned null"],
    "returns a number": [async () => 5, "t returned 5"],
    "returns a cycle": [async () => cycle(), "t returned a value that JSON cannot hold"],
    "returns no promise": [() => "plain", "plain", true],
    "returns nothing to read": [async () => "", /^$/, true],
    "returns a cycle beside its text": [
      async () => ({ markdown: "x", structured: cycle() }),
      /t returned structured data/,
    ],
    "returns a BigInt beside its text": [
      async () => ({ markdown: "x", structured: { n: 1n } }),
      /t returned structured data/,
    ],
    "never returns": [() => forever, "within 0.05 s"],
  };
  for (const [title, [execute, output, succeeds = false]] of Object.entries(odd)) {
    test(`${title} gets a result, and the run continues`, async () => {
      const { replies, events, result } = await play(
        [createTestTool("t", execute as never, { timeoutMs: 50 })],
        [[{ tool: "t" }]],
      );
      expect(replies[0]).toMatchObject({ isError: !succeeds, output: expect.stringMatching(output) });
      expect(ofType(events, "tool.finished")).toMatchObject([{ ok: succeeds, output: replies[0]?.output }]);
      expect(result).toMatchObject({ stopReason: "natural", toolFailures: succeeds ? 0 : 1 });
    });
  }

  test("returns five million characters is cut, and the whole result is stored", async () => {
    const { replies, events } = await play([createTestTool("t", async () => "x".repeat(5_000_000))], [[{ tool: "t" }]]);
    expect(replies[0]?.output.length).toBeLessThan(41_000);
    expect(replies[0]?.addedTool?.name).toBe("read_result");
    expect(ofType(events, "tool.finished")[0]?.artifact).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each([
    ["one text of fifty million characters", () => ({ text: "x".repeat(50_000_000) })],
    ["a million rows", () => Array.from({ length: 1_000_000 }, (_, id) => ({ id }))],
  ])("returns %s as structured data keeps its text alone, and a notice says so", async (_, make) => {
    const { replies, events } = await play(
      [createTestTool("t", async () => ({ markdown: "ok", structured: make() }))],
      [[{ tool: "t" }]],
    );
    expect(replies[0]).toMatchObject({ isError: false, output: "ok" });
    expect(ofType(events, "tool.finished")).toEqual([expect.not.objectContaining({ structured: expect.anything() })]);
    expect(ofType(events, "notice")).toMatchObject([
      {
        level: "warning",
        code: "structured-data-too-large",
        message: expect.stringMatching(
          /^The structured data of the call \S+ of t has more than 2,000,000 characters, and was not kept/,
        ),
      },
    ]);
  });

  test("returns a long text after its run has ended changes nothing", async () => {
    const text = Promise.withResolvers<string>();
    const run = begin(
      createTestBackend(async (host) => {
        step(host);
        await host.callTool({ callId: "1", tool: "t", input: {} });
        return forever;
      }),
      {
        tools: [
          createTestTool("t", () => {
            run.stop();
            return text.promise;
          }),
        ],
      },
    );
    const { events } = await expectLaws(run);
    text.resolve("x".repeat(5_000_000));
    await new Promise((resolve) => setTimeout(resolve, 20)); // an error that nobody catches fails the test
    expect(ofType(events, "tool.finished")).toMatchObject([{ ok: false }]);
  });

  test("returns almost two million characters as structured data keeps them", async () => {
    const structured = { text: "x".repeat(1_999_900) };
    const { events } = await play(
      [createTestTool("t", async () => ({ markdown: "ok", structured }))],
      [[{ tool: "t" }]],
    );
    expect(ofType(events, "tool.finished")[0]?.structured).toEqual(structured);
    expect(ofType(events, "notice")).toEqual([]);
  });

  test("changes its input or its result later does not change the event log", async () => {
    const rows = [1];
    const tool = createTestTool("t", async (input) => {
      Object.assign(input, { added: true });
      (input as { list: number[] }).list.push(9);
      setTimeout(() => rows.push(2));
      return { markdown: "ok", structured: { rows } };
    });
    const { events } = await play(
      [tool],
      [[{ tool: "t", input: { list: [1] } }], [{ tool: "t", input: { list: [] } }]],
    );
    expect(ofType(events, "tool.requested")[0]?.input).toEqual({ list: [1] });
    expect(ofType(events, "tool.finished")[0]?.structured).toEqual({ rows: [1] });
  });

  test("reports progress after its end is ignored", async () => {
    let late: (message: string) => void = () => {};
    const tool = createTestTool("t", async (_input, { progress }) => {
      progress("now");
      late = progress;
      return "ok";
    });
    const again = createTestTool("again", async () => {
      late("late");
      return "ok";
    });
    const { events } = await play([tool, again], [[{ tool: "t" }], [{ tool: "again" }]]);
    late("after the end");
    expect(ofType(events, "tool.progress").map(({ message }) => message)).toEqual(["now"]);
  });

  test("has a time limit that a timer cannot hold does not time out at once", async () => {
    for (const timeoutMs of [2 ** 40, Number.POSITIVE_INFINITY]) {
      const execute = () => new Promise<string>((resolve) => setTimeout(resolve, 20, "ok"));
      const { replies } = await play([createTestTool("t", execute, { timeoutMs })], [[{ tool: "t" }]]);
      expect(replies[0]).toEqual({ output: "ok", isError: false });
    }
  });

  test("listens to its signal thousands of times causes no warning", async () => {
    const warnings: Error[] = [];
    const noteWarning = (warning: Error) => void warnings.push(warning);
    process.on("warning", noteWarning);
    const tool = createTestTool("t", async (_input, { signal }) => {
      for (let index = 0; index < 5000; index++) signal.addEventListener("abort", () => index);
      return "ok";
    });
    await play([tool], [[{ tool: "t" }, { tool: "t" }]]);
    await new Promise((resolve) => setTimeout(resolve, 5));
    process.off("warning", noteWarning);
    expect(warnings).toEqual([]);
  });
});

describe("input that is", () => {
  const inputs: Record<string, unknown> = { "a BigInt": { n: 1n }, "a cycle": cycle(), "too deep": deep(50_000) };
  for (const [title, input] of Object.entries(inputs)) {
    test(`${title} gets an error result, and does not end the run`, async () => {
      const { replies, events, result } = await play(
        [createTestTool("t", ok)],
        [[{ tool: "t", input }, { tool: "t" }]],
      );
      expect(replies.map(({ isError }) => isError)).toEqual([true, false]);
      expect(replies[0]?.output).toContain("The input of t is not JSON");
      expect(ofType(events, "tool.evaluated")[0]).toMatchObject({ decision: "deny", rule: "input-schema" });
      expect(result.stopReason).toBe("natural");
    });
  }

  test("missing is an empty object", async () => {
    const { replies } = await play(
      [createTestTool("t", ok)],
      [
        [
          { tool: "t", input: undefined },
          { tool: "t", input: null },
        ],
      ],
    );
    expect(replies.map(({ output }) => output)).toEqual(["ok", "ok"]);
  });
});

describe("calls", () => {
  test("with a repeated or empty id are each logged under a unique id", async () => {
    const calls = ["a", "a", "", ""].map((callId) => ({ tool: "t", callId }));
    const { events } = await play([createTestTool("t", ok)], [calls]);
    expect(new Set(ofType(events, "tool.requested").map(({ callId }) => callId)).size).toBe(4);
    expect(ofType(events, "tool.finished")).toHaveLength(4);
  });

  test("all get their results, even a thousand at once", async () => {
    const calls = Array.from({ length: 1000 }, (_, index) => ({ tool: index % 2 ? "r" : "w" }));
    const tools = [createTestTool("w", ok), createTestTool("r", ok, { annotations: { readOnly: true } })];
    const { replies, result } = await play(tools, [calls]);
    expect(replies.filter(({ isError }) => !isError)).toHaveLength(1000);
    expect(result.toolCalls).toBe(1000);
  });

  test("keep their order if the validation of an earlier call takes longer", async () => {
    const order: string[] = [];
    const slowCheck = z.looseObject({}).refine(() => new Promise((resolve) => setTimeout(resolve, 20, true)));
    const first = createTestTool("first", async () => String(order.push("first")), { input: slowCheck });
    const second = createTestTool("second", async () => String(order.push("second")));
    await play([first, second], [[{ tool: "first" }, { tool: "second" }]]);
    expect(order).toEqual(["first", "second"]);
  });

  test("that wait when the run is stopped are denied, running ones fail, and all get a result", async () => {
    const execute = vi.fn(() => forever);
    const replies: ToolReply[] = [];
    const run = begin(
      createTestBackend(async (host) => {
        step(host);
        const calls = [1, 2, 3].map((id) => host.callTool({ callId: `${id}`, tool: "t", input: {} }));
        setTimeout(() => run.stop(), 10);
        replies.push(...(await Promise.all(calls)));
        return forever;
      }),
      { tools: [createTestTool("t", execute)] },
    );
    const { events, result } = await expectLaws(run);
    expect(execute).toHaveBeenCalledTimes(1);
    expect(ofType(events, "tool.denied").map(({ callId }) => callId)).toEqual(["2", "3"]);
    expect(result).toMatchObject({ toolCalls: 3, toolFailures: 3 });
    await Promise.resolve();
    expect(replies.map(({ isError }) => isError)).toEqual([true, true, true]);
  });

  for (const at of ["tool.requested", "tool.evaluated", "tool.started", "tool.finished"] as const) {
    test(`stopped by an observer of ${at} have one outcome, and no call starts later`, async () => {
      const execute = vi.fn(ok);
      let stop = () => {};
      const onEvent = ({ type }: RunEvent) => type === at && stop();
      const turn = async (host: TurnContext) => {
        step(host);
        await Promise.all(["1", "2"].map((callId) => host.callTool({ callId, tool: "t", input: {} })));
        return natural;
      };
      const run = begin(
        createTestBackend(turn),
        { tools: [createTestTool("t", execute)] },
        { onEvent: (event) => void onEvent(event) },
      );
      stop = () => run.stop();
      expect((await expectLaws(run)).result.stopReason).toBe("stopped");
      expect(execute).toHaveBeenCalledTimes(at === "tool.finished" ? 1 : 0);
    });
  }
});

describe("a policy that", () => {
  const odd: Record<string, () => unknown> = {
    "returns nothing": () => undefined,
    "returns no rule": () => ({ decision: "allow" }),
    "returns a text": () => "allow",
    "rejects with undefined": async () => Promise.reject(undefined),
  };
  for (const [title, evaluate] of Object.entries(odd)) {
    test(`${title} denies`, async () => {
      const execute = vi.fn(ok);
      const policy: Policy = { id: "p", evaluate: evaluate as Policy["evaluate"] };
      const { replies, result } = await play([createTestTool("t", execute)], [[{ tool: "t" }]], policy);
      expect(replies[0]?.output).toContain("policy-failed");
      expect(execute).not.toHaveBeenCalled();
      expect(result.stopReason).toBe("natural");
    });
  }

  test("never answers does not keep a stopped run alive", async () => {
    const policy: Policy = { id: "p", evaluate: () => forever };
    const execute = vi.fn(ok);
    const turn = async (host: TurnContext) => {
      step(host);
      setTimeout(() => run.stop(), 10);
      await host.callTool({ callId: "1", tool: "t", input: {} });
      await host.authorizeHostTool({ callId: "2", tool: "Read", input: {} });
      return natural;
    };
    const run = begin(
      createTestBackend(turn),
      { tools: [createTestTool("t", execute)], builtins: ["Read"] },
      { policy },
    );
    expect((await expectLaws(run)).result.stopReason).toBe("stopped");
    expect(execute).not.toHaveBeenCalled();
  });
});

describe("a host tool", () => {
  test("is denied unless it is opened, and completed by the id of the host", async () => {
    const admitted: unknown[] = [];
    const turn = async (host: TurnContext) => {
      step(host);
      admitted.push(await host.authorizeHostTool({ callId: "1", tool: "Bash", input: {} }));
      admitted.push(await host.authorizeHostTool({ callId: "2", tool: "Read", input: {} }));
      admitted.push(await host.authorizeHostTool({ callId: "2", tool: "Read", input: {} }));
      host.completeHostTool("2", true, "first");
      host.completeHostTool("2", false, "second");
      host.completeHostTool("2", true, "third");
      host.completeHostTool("unknown", true, "nobody's");
      return natural;
    };
    const { events, result } = await expectLaws(begin(createTestBackend(turn), { builtins: ["Read"] }));
    expect(admitted).toMatchObject([{ allow: false }, { allow: true }, { allow: true }]);
    expect(ofType(events, "tool.finished").map(({ ok, output }) => [ok, output])).toEqual([
      [true, "first"],
      [false, "second"],
    ]);
    expect(result).toMatchObject({ toolCalls: 3, toolFailures: 2 });
  });

  test("cannot complete a call of one of our tools", async () => {
    const turn = async (host: TurnContext) => {
      step(host);
      const call = host.callTool({ callId: "1", tool: "t", input: {} });
      await new Promise((resolve) => setTimeout(resolve, 5));
      host.completeHostTool("1", true, "forged");
      await call;
      return natural;
    };
    const execute = () => new Promise<string>((resolve) => setTimeout(resolve, 20, "true"));
    const { events } = await expectLaws(begin(createTestBackend(turn), { tools: [createTestTool("t", execute)] }));
    expect(ofType(events, "tool.finished").map(({ output }) => output)).toEqual(["true"]);
  });

  test("that the host refused is logged once, and never in place of a call that reached us", async () => {
    const turn = async (host: TurnContext) => {
      step(host);
      for (const callId of ["1", "1"]) host.reportRefused({ callId, tool: "x", input: cycle() }, "no such tool");
      await host.callTool({ callId: "2", tool: "t", input: {} });
      host.reportRefused({ callId: "2", tool: "t", input: {} }, "no such tool");
      host.reportRefused({ callId: "3", tool: "t", input: "{broken" }, "no JSON");
      return natural;
    };
    const { events, result } = await expectLaws(begin(createTestBackend(turn), { tools: [createTestTool("t", ok)] }));
    expect(ofType(events, "tool.denied").map(({ callId }) => callId)).toEqual(["1", "3"]);
    const denials = ofType(events, "tool.evaluated").filter(({ decision }) => decision === "deny");
    expect(denials.map(({ rule }) => rule)).toEqual(["known-tool", "input-schema"]);
    expect(result).toMatchObject({ toolCalls: 3, toolFailures: 2 });
  });
});

interface Played extends EndedRun {
  replies: ToolReply[];
}

/** Runs a model that makes these calls, one list per step, and then ends. */
async function play(
  tools: readonly AnyTool[],
  steps: readonly (readonly (Partial<ToolCall> & { tool: string })[])[],
  policy?: Policy,
): Promise<Played> {
  const replies: ToolReply[] = [];
  const turn = async (host: TurnContext) => {
    for (const [index, calls] of steps.entries()) {
      step(host);
      const answers = calls.map((call, order) => host.callTool({ callId: `${index}-${order}`, input: {}, ...call }));
      replies.push(...(await Promise.all(answers)));
    }
    return natural;
  };
  const ended = await expectLaws(begin(createTestBackend(turn), { tools }, policy ? { policy } : {}));
  return { ...ended, replies };
}

function cycle(): object {
  const value: Record<string, unknown> = {};
  value.self = value;
  return value;
}

function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}
