import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  buildTranscript,
  NetworkError,
  OverloadedError,
  RateLimitError,
  StoppedError,
  TimeoutError,
} from "@bridle/protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import { createModelApiBackend } from "../src/backend.ts";
import { modelApiIds } from "../src/settings/options.ts";
import { optionsFor } from "./test-backend.ts";
import { ofType, rejectionOf, startSteps } from "./test-runtime.ts";

const prompt = "go";

describe.each(modelApiIds)("%s retries a request", (id) => {
  test.each([
    ["that was refused as overloaded", { status: 529, times: 2 }],
    ["that the service failed on", { status: 500, times: 2 }],
    ["that hit a rate limit", { status: 429, times: 2 }],
    ["whose connection was cut before the answer", { reset: true, times: 2 }],
    ["whose answer broke off before its first event", { cut: true, times: 2 }],
  ])("%s, once for each failure", async (_, fault) => {
    const { runtime, requestCount, pauses, events } = await startSteps(id, [fault, { say: "It works." }]);
    expect((await runtime.generateText({ prompt })).text).toBe("It works.");
    expect(requestCount()).toBe(3);
    expect(pauses).toEqual([500, 1000]);
    expect(ofType(events, "retry.scheduled")).toMatchObject([
      { attempt: 1, maxAttempts: 3, delayMs: 500, reason: expect.stringMatching(/\w{3}/) },
      { attempt: 2, maxAttempts: 3, delayMs: 1000 },
    ]);
    expect(ofType(events, "step.started")).toHaveLength(1);
  });

  test("at most four times", async () => {
    const { runtime, requestCount } = await startSteps(id, [{ status: 529, forever: true }]);
    expect(await rejectionOf(runtime.generateText({ prompt }))).toBeInstanceOf(OverloadedError);
    expect(requestCount()).toBe(4);
  });

  test("whose answer broke off after its first events, in the same step", async () => {
    const broken = { say: "It was a dark and stormy", cut: true, chunk_ms: 20, times: 2 };
    const { runtime, requestCount, pauses, events } = await startSteps(id, [broken, { say: "It works." }]);
    expect((await runtime.generateText({ prompt })).text).toBe("It works.");
    expect(requestCount()).toBe(3);
    expect(pauses).toEqual([500, 1000]);
    expect(ofType(events, "step.started")).toHaveLength(1);
    const retries = events.flatMap(({ type }, index) => (type === "retry.scheduled" ? [index] : []));
    expect(retries).toHaveLength(2);
    for (const at of retries) expect(events[at - 1]).toMatchObject({ type: "text.delta" });
    expect(buildTranscript(events).entries.slice(1)).toEqual([
      { kind: "text", text: "It works.", complete: true, step: 1 },
    ]);
  });

  test("whose answer always breaks off at most four times, and then fails", async () => {
    const { runtime, requestCount } = await startSteps(id, [{ say: "It was a dark", cut: true, forever: true }]);
    const error = await rejectionOf(runtime.generateText({ prompt }));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toHaveProperty("message", expect.stringContaining("broke off before its end"));
    expect(requestCount()).toBe(4);
  });
});

describe("a host's headers for retries", () => {
  test("may forbid them", async () => {
    const headers = { "x-should-retry": "false" };
    const { runtime, requestCount } = await startSteps("anthropic", [{ status: 529, headers, forever: true }]);
    expect(await rejectionOf(runtime.generateText({ prompt }))).toBeInstanceOf(OverloadedError);
    expect(requestCount()).toBe(1);
  });

  test.each([
    ["seconds", { "retry-after": "3" }, 3000],
    ["milliseconds, which count first", { "retry-after": "3", "retry-after-ms": "250" }, 250],
  ])("set the pause in %s", async (_, headers, ms) => {
    const { runtime, pauses } = await startSteps("openai", [{ status: 429, headers }, { say: "fine" }]);
    await runtime.generateText({ prompt });
    expect(pauses).toEqual([ms]);
  });

  test("fail the request if the pause is longer than a minute", async () => {
    const headers = { "retry-after": "3600" };
    const { runtime, requestCount } = await startSteps("openai", [{ status: 429, headers, forever: true }]);
    expect(await rejectionOf(runtime.generateText({ prompt }))).toBeInstanceOf(RateLimitError);
    expect(requestCount()).toBe(1);
  });
});

describe("silence", () => {
  test.each(modelApiIds)("in the middle of an answer of %s ends the request with a remedy", async (id) => {
    const { runtime, requestCount } = await startSteps(id, [{ say: "Let me", stall: true }], { idleTimeoutMs: 200 });
    const error = await rejectionOf(runtime.generateText({ prompt }));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toHaveProperty(
      "message",
      expect.stringMatching(/sent nothing for 0\.2 s.*raise llm\.provider\.idleTimeoutMs/),
    );
    expect(requestCount()).toBe(1);
  });

  test("from a server that never answers ends the request", async () => {
    const server = createServer(() => {});
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const backend = createModelApiBackend({ ...optionsFor("anthropic", url), idleTimeoutMs: 100 });
    expect(await rejectionOf(backend.checkAuth())).toBeInstanceOf(TimeoutError);
  });

  test("that is interrupted by single chunks does not end the request", async () => {
    const said = "one two three four five six";
    const { runtime } = await startSteps("anthropic", [{ say: said, chunk_ms: 400 }], { idleTimeoutMs: 2000 });
    expect((await runtime.generateText({ prompt })).text).toBe(said);
  });
});

test("a run that is stopped in a pause between attempts ends at once, and sends nothing more", async () => {
  const headers = { "retry-after": "30" };
  const { rehearsal, requestCount } = await startSteps("anthropic", [{ status: 529, headers, forever: true }]);
  const backend = createModelApiBackend(optionsFor("anthropic", rehearsal.url));
  const controller = new AbortController();
  const checking = rejectionOf(backend.checkAuth(controller.signal));
  await rehearsal.nextRequest();
  setTimeout(() => controller.abort(), 100);
  expect(await checking).toBeInstanceOf(StoppedError);
  expect(requestCount()).toBe(1);
});
