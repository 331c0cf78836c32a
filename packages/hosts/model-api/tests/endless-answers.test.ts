import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { createAgentRuntime } from "@bridle/core";
import { BackendCrashError, InvalidRequestError } from "@bridle/protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import { createModelApiBackend } from "../src/backend.ts";
import type { ModelApiOptions } from "../src/settings/options.ts";
import { chunk, done, sseBody, startRawHost, stream } from "./raw-host.ts";

/** Sends one request to a host, and returns the number of bytes that the host could send. */
async function ask(answer: (response: ServerResponse) => unknown, id: "openai-compatible" | "anthropic") {
  const host = await startRawHost(answer);
  const given = { id, apiKey: "key", baseUrl: `${host.url}/v1`, maxAttempts: 1 } as ModelApiOptions;
  const backend = createModelApiBackend(given, { wait: async () => {}, random: () => 1 });
  const runtime = createAgentRuntime({ backend, models: { default: "m" } });
  onTestFinished(async () => {
    await runtime.close();
    await backend.close();
  });
  return runtime.generateText({ prompt: "go" }).then(
    ({ text }) => ({ text, error: undefined }),
    (error: unknown) => ({ text: undefined, error }),
  );
}

/** Sends the same block repeatedly until the other side closes the connection or 400 MB have been sent. */
function sendLong(response: ServerResponse, head: { status: number; headers: Record<string, string> }, block: Buffer) {
  let sent = 0;
  const state = { sent: () => sent, isCut: false };
  response.writeHead(head.status, head.headers);
  response.on("close", () => {
    state.isCut = !response.writableFinished;
  });
  const more = () => {
    while (!response.destroyed && sent < 400_000_000) {
      sent += block.length;
      if (!response.write(block)) return void response.once("drain", more);
    }
    if (!response.destroyed) response.end();
  };
  more();
  return state;
}

const letters = Buffer.alloc(1_000_000, "a");
const stars = Buffer.from(`${": ".padEnd(999, "*")}\n`.repeat(1000));

describe.each(["openai-compatible", "anthropic"] as const)("on %s", (id) => {
  test.each([
    ["an error body of 400 MB", 400, "application/json", letters, InvalidRequestError],
    ["a line of 400 MB in a stream", 200, "text/event-stream", letters, BackendCrashError],
    ["a stream of 400 MB of comments", 200, "text/event-stream", stars, BackendCrashError],
    ["a body of 400 MB instead of a stream", 200, "application/json", letters, BackendCrashError],
  ])("%s is cut, and fails the request", async (_title, status, type, block, expected) => {
    let sending: ReturnType<typeof sendLong> | undefined;
    const { error } = await ask((response) => {
      sending ??= sendLong(response, { status, headers: { "content-type": type } }, block);
    }, id);
    expect(error).toBeInstanceOf(expected);
    expect(String(error).length).toBeLessThan(5000);
    await expect.poll(() => sending?.isCut).toBe(true);
    expect(sending?.sent()).toBeLessThan(300_000_000);
  });

  test("an error that unpacks to 400 MB is cut", async () => {
    const packed = gzipSync(letters, { level: 9 });
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    const { error } = await ask(
      (response) => response.writeHead(400, headers).end(Buffer.concat(Array.from({ length: 400 }, () => packed))),
      id,
    );
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(String(error).length).toBeLessThan(5000);
  });

  test("an error with a message of half a megabyte is shortened", async () => {
    const body = JSON.stringify({ error: { type: "invalid_request_error", message: "Wrong. ".repeat(70_000) } });
    const { error } = await ask(
      (response) => response.writeHead(400, { "content-type": "application/json" }).end(body),
      id,
    );
    expect(String(error)).toContain("Wrong. Wrong.");
    expect(String(error).length).toBeLessThan(5000);
  });
});

test("an answer of 20 MB in short lines arrives whole", async () => {
  const words = "word ".repeat(2000);
  const parts = Array.from({ length: 2000 }, () => chunk({ content: words }));
  const { text, error } = await ask(
    (response) => stream(response, sseBody(...parts, chunk({}, "stop"), done)),
    "openai-compatible",
  );
  expect(error).toBeUndefined();
  expect(text?.length).toBe(20_000_000);
});
