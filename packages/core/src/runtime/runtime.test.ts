import { createMemoryBackend, until } from "@bridle/conformance";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { createMemoryEventLog } from "../event-log/memory-event-log.ts";
import {
  begin,
  createTestBackend,
  createTestConversation,
  expectLaws,
  forever,
  natural,
  step,
} from "./runs-for-tests.ts";
import { createAgentRuntime } from "./runtime.ts";

const models = { default: "m" };

describe("closing a runtime", () => {
  test("ends within five seconds even if nothing on the host ends", { timeout: 10_000 }, async () => {
    const conversation = createTestConversation(() => forever, { close: () => forever });
    const backend = createTestBackend(() => forever, { open: async () => conversation, close: () => forever });
    const warn = vi.fn();
    const logger = { debug() {}, info() {}, warn, error() {} };
    const runtime = createAgentRuntime({ backend, models, logger });
    const run = runtime.runAgentLoop({ prompt: "go", tools: [], stepBudget: 1 });
    await until(run, "model.input");
    const before = performance.now();
    await runtime.close();
    expect(performance.now() - before).toBeLessThan(5000);
    expect((await run.result).stopReason).toBe("stopped");
    expect(warn.mock.calls.map(([, message]) => message)).toEqual([
      "conversations did not close in time",
      "the backend did not close in time",
    ]);
  });

  test("succeeds when a conversation and the backend throw, and closes both once", async () => {
    const close = vi.fn(() => {
      throw new Error("broken");
    });
    const conversation = createTestConversation(() => forever, { close });
    const backend = createTestBackend(() => forever, { open: async () => conversation, close });
    const runtime = createAgentRuntime({ backend, models });
    await until(runtime.runAgentLoop({ prompt: "go", tools: [], stepBudget: 1 }), "model.input");
    await Promise.all([runtime.close(), runtime.close()]);
    await runtime.close();
    expect(close).toHaveBeenCalledTimes(2);
  });

  test("prevents further runs", async () => {
    const runtime = createAgentRuntime({ backend: createTestBackend(async () => natural), models });
    await runtime.close();
    await expect(runtime.generateText({ prompt: "go" })).rejects.toThrow("The runtime is closed");
  });
});

describe("an observer", () => {
  const turn = async (host: Parameters<Parameters<typeof createTestBackend>[0]>[0]) => {
    step(host, "fine");
    return natural;
  };

  test("that throws at every event changes nothing", async () => {
    const onEvent = () => {
      throw new Error("observer broke");
    };
    expect((await expectLaws(begin(createTestBackend(turn), {}, { onEvent }))).result.stopReason).toBe("natural");
  });

  test("that rejects changes nothing either", async () => {
    const onEvent = async () => Promise.reject(new Error("observer broke"));
    expect((await expectLaws(begin(createTestBackend(turn), {}, { onEvent }))).result.stopReason).toBe("natural");
  });

  test("sees every event that a reader sees", async () => {
    const seen: unknown[] = [];
    const { events } = await expectLaws(
      begin(createTestBackend(turn), {}, { onEvent: (event) => void seen.push(event) }),
    );
    expect(seen).toEqual(events);
  });
});

describe("a request is refused before anything is sent", () => {
  const backend = createMemoryBackend([], {
    history: false,
    maxOutputTokens: false,
    costBudget: false,
    parts: ["text"],
  });
  const runtime = createAgentRuntime({ backend, models });
  const loop = { prompt: "go", tools: [], stepBudget: 1 };

  for (const stepBudget of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    test(`with a step budget of ${stepBudget}`, () => {
      expect(() => runtime.runAgentLoop({ ...loop, stepBudget })).toThrow(`stepBudget is ${stepBudget}`);
    });
  }

  for (const schemaRetries of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    test(`with ${schemaRetries} schema retries`, async () => {
      const failing = runtime.generateObject({ prompt: "go", schema: z.object({}), schemaRetries });
      await expect(failing).rejects.toThrow(`schemaRetries is ${schemaRetries}`);
    });
  }

  for (const [field, value] of Object.entries({ maxOutputTokens: 0.5, maxTotalTokens: Number.NaN, maxCostUsd: -1 })) {
    test(`with ${field} ${value}`, () => {
      expect(() => runtime.runAgentLoop({ ...loop, [field]: value })).toThrow(`${field} is ${value}`);
    });
  }

  test("if the backend lacks a required feature, and the error names the alternative", () => {
    const needs: [object, string][] = [
      [{ maxOutputTokens: 5 }, "memory has no limit on output tokens. Leave maxOutputTokens out."],
      [{ maxCostUsd: 5 }, "memory has no cost budget. Use maxTotalTokens"],
      [{ builtins: ["Bash"] }, 'memory has no built-in tool named "Bash". It has none'],
      [
        {
          prompt: [
            { role: "user", content: "a" },
            { role: "user", content: "b" },
          ],
        },
        "no history from messages",
      ],
    ];
    for (const [need, message] of needs) expect(() => runtime.runAgentLoop({ ...loop, ...need })).toThrow(message);
    expect(backend.sent).toEqual([]);
  });

  test("if no model is set for its role, even for a role with the name of an object's property", () => {
    const unbound = createAgentRuntime({ backend, models: { triage: "t" } });
    for (const role of [undefined, "judge", "constructor", "toString"]) {
      expect(() => unbound.runAgentLoop({ ...loop, ...(role ? { role } : {}) })).toThrow("llm.models.default");
    }
  });
});

describe("an object", () => {
  test("is parsed for its caller, and logged as the model sent it", async () => {
    const backend = createMemoryBackend([{ steps: [{ object: { day: "2026-01-31", n: "7" } }] }]);
    const finished: unknown[] = [];
    const onEvent = (event: { type: string }) => event.type === "run.finished" && finished.push(event);
    const runtime = createAgentRuntime({ backend, models, onEvent });
    const schema = z.object({ day: z.iso.date().transform((day) => new Date(day)), n: z.string().transform(BigInt) });
    const { object } = await runtime.generateObject({ prompt: "go", schema });
    expect(object).toEqual({ day: new Date("2026-01-31"), n: 7n });
    expect(finished).toMatchObject([{ result: { object: { day: "2026-01-31", n: "7" } } }]);
  });

  test("whose schema throws during validation is requested again, and then fails with a named error", async () => {
    const schema = z.object({}).refine(() => {
      throw new Error("refinement broke");
    });
    const runtime = createAgentRuntime({ backend: createMemoryBackend([{ steps: [{ object: {} }] }]), models });
    const failing = runtime.generateObject({ prompt: "go", schema, schemaRetries: 1 });
    await expect(failing).rejects.toMatchObject({ code: "structured_output", text: "{}" });
    await expect(failing).rejects.toThrow("refinement broke");
  });

  test("that is not JSON is no object", async () => {
    const backend = createMemoryBackend([{ steps: [{ object: { n: 1n } }] }]);
    const runtime = createAgentRuntime({ backend, models });
    const failing = runtime.generateObject({ prompt: "go", schema: z.object({}), schemaRetries: 0 });
    await expect(failing).rejects.toMatchObject({ code: "structured_output" });
  });
});

test("checkAuth rejects if the backend throws", async () => {
  const checkAuth = () => {
    throw new Error("broken");
  };
  const runtime = createAgentRuntime({ backend: createTestBackend(() => forever, { checkAuth }), models });
  await expect(runtime.checkAuth()).rejects.toThrow("broken");
});

test("a text operation takes a string as its prompt", async () => {
  const eventLog = createMemoryEventLog();
  const runtime = createAgentRuntime({ backend: createTestBackend(async () => natural), models, eventLog });
  const { runId } = await runtime.generateText("hello");
  const inputs = (await eventLog.read({ runId })).filter((event) => event.type === "model.input");
  expect(inputs[0]?.messages).toMatchObject([{ content: [{ text: "hello" }] }]);
});

test("a loop may have 20 steps unless it says otherwise", async () => {
  const backend = createTestBackend(async () => natural);
  const run = createAgentRuntime({ backend, models }).runAgentLoop({ prompt: "go", tools: [] });
  const { events } = await expectLaws(run);
  expect(events.find(({ type }) => type === "run.started")).toMatchObject({ stepBudget: 20 });
});
