import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  NetworkError,
  OverloadedError,
  RateLimitError,
  StoppedError,
  TimeoutError,
  transcriptOf,
} from "@bridle/protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import { createModelApiBackend } from "../src/backend.ts";
import { modelApiIds } from "../src/settings/options.ts";
import { failureOf, ofType, stageSteps } from "./runs.ts";
import { optionsFor } from "./stage.ts";

const prompt = "go";

describe.each(modelApiIds)("%s repeats a request", (id) => {
  test.each([
    ["that was refused as overloaded", { status: 529, times: 2 }],
    ["that the service failed on", { status: 500, times: 2 }],
    ["whose rate was too high", { status: 429, times: 2 }],
    ["whose connection was cut before an answer", { reset: true, times: 2 }],
    ["whose answer broke off before anything was shown", { cut: true, times: 2 }],
  ])("%s, once for each failure and never twice for one", async (_, fault) => {
    const { runtime, asked, pauses, events } = await stageSteps(id, [fault, { say: "It works." }]);
    expect((await runtime.generateText({ prompt })).text).toBe("It works.");
    expect(asked()).toBe(3);
    expect(pauses).toEqual([500, 1000]);
    expect(ofType(events, "retry.scheduled")).toMatchObject([
      { attempt: 1, maxAttempts: 3, delayMs: 500, reason: expect.stringMatching(/\w{3}/) },
      { attempt: 2, maxAttempts: 3, delayMs: 1000 },
    ]);
    expect(ofType(events, "step.started")).toHaveLength(1);
  });

  test("no more than four times in all", async () => {
    const { runtime, asked } = await stageSteps(id, [{ status: 529, forever: true }]);
    expect(await failureOf(runtime.generateText({ prompt }))).toBeInstanceOf(OverloadedError);
    expect(asked()).toBe(4);
  });

  test("whose answer broke off after a part of it was shown, within the same step, and says so", async () => {
    const broken = { say: "It was a dark and stormy", cut: true, chunk_ms: 20, times: 2 };
    const { runtime, asked, pauses, events } = await stageSteps(id, [broken, { say: "It works." }]);
    expect((await runtime.generateText({ prompt })).text).toBe("It works.");
    expect(asked()).toBe(3);
    expect(pauses).toEqual([500, 1000]);
    expect(ofType(events, "step.started")).toHaveLength(1);
    const retries = events.flatMap(({ type }, index) => (type === "retry.scheduled" ? [index] : []));
    expect(retries).toHaveLength(2);
    for (const at of retries) expect(events[at - 1]).toMatchObject({ type: "text.delta" });
    expect(transcriptOf(events).entries.slice(1)).toEqual([
      { kind: "text", text: "It works.", complete: true, step: 1 },
    ]);
  });

  test("whose answer breaks off every time no more than four times, and then fails", async () => {
    const { runtime, asked } = await stageSteps(id, [{ say: "It was a dark", cut: true, forever: true }]);
    const error = await failureOf(runtime.generateText({ prompt }));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toHaveProperty("message", expect.stringContaining("broke off before its end"));
    expect(asked()).toBe(4);
  });
});

describe("a host's own word on retries", () => {
  test("is kept: it may forbid them", async () => {
    const headers = { "x-should-retry": "false" };
    const { runtime, asked } = await stageSteps("anthropic", [{ status: 529, headers, forever: true }]);
    expect(await failureOf(runtime.generateText({ prompt }))).toBeInstanceOf(OverloadedError);
    expect(asked()).toBe(1);
  });

  test.each([
    ["seconds", { "retry-after": "3" }, 3000],
    ["milliseconds, which count first", { "retry-after": "3", "retry-after-ms": "250" }, 250],
  ])("says how long to wait, in %s", async (_, headers, ms) => {
    const { runtime, pauses } = await stageSteps("openai", [{ status: 429, headers }, { say: "fine" }]);
    await runtime.generateText({ prompt });
    expect(pauses).toEqual([ms]);
  });

  test("is not waited for when it is longer than a minute", async () => {
    const headers = { "retry-after": "3600" };
    const { runtime, asked } = await stageSteps("openai", [{ status: 429, headers, forever: true }]);
    expect(await failureOf(runtime.generateText({ prompt }))).toBeInstanceOf(RateLimitError);
    expect(asked()).toBe(1);
  });
});

describe("silence", () => {
  test.each(modelApiIds)("in the middle of an answer of %s ends it, and says what to do", async (id) => {
    const { runtime, asked } = await stageSteps(id, [{ say: "Let me", stall: true }], { idleTimeoutMs: 200 });
    const error = await failureOf(runtime.generateText({ prompt }));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toHaveProperty(
      "message",
      expect.stringMatching(/sent nothing for 0\.2 s.*allow more silence with llm\.provider\.idleTimeoutMs/),
    );
    expect(asked()).toBe(1);
  });

  test("of a server that never answers ends the request", async () => {
    const server = createServer(() => {});
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const backend = createModelApiBackend({ ...optionsFor("anthropic", url), idleTimeoutMs: 100 });
    expect(await failureOf(backend.checkAuth())).toBeInstanceOf(TimeoutError);
  });

  test("broken by signs of life, however few, ends nothing", async () => {
    const said = "one two three four five six";
    const { runtime } = await stageSteps("anthropic", [{ say: said, chunk_ms: 400 }], { idleTimeoutMs: 2000 });
    expect((await runtime.generateText({ prompt })).text).toBe(said);
  });
});

test("a run that is stopped in the pause before a retry ends at once, and sends nothing more", async () => {
  const headers = { "retry-after": "30" };
  const { rehearsal, asked } = await stageSteps("anthropic", [{ status: 529, headers, forever: true }]);
  const backend = createModelApiBackend(optionsFor("anthropic", rehearsal.url));
  const controller = new AbortController();
  const checking = failureOf(backend.checkAuth(controller.signal));
  await rehearsal.nextRequest();
  setTimeout(() => controller.abort(), 100);
  expect(await checking).toBeInstanceOf(StoppedError);
  expect(asked()).toBe(1);
});
