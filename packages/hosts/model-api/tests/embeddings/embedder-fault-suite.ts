/** Tests, on every embedder, the error for each fault of a host, and the number of requests. */
import { inspect } from "node:util";
import {
  AuthenticationError,
  BackendCrashError,
  BillingError,
  type BridleError,
  ConfigError,
  ContextOverflowError,
  InvalidRequestError,
  ModelNotFoundError,
  NetworkError,
  OverloadedError,
  RateLimitError,
  TimeoutError,
} from "@bridle/protocol";
import type { ScriptInput } from "@bridle/rehearsal";
import { describe, expect, test } from "vitest";
import { type EmbedderUnderTest, key, rejectionOf } from "./embedders.ts";
import { type Answering, goodAnswer } from "./embeddings-server.ts";

type Step = ScriptInput["turns"][number]["steps"][number];
type ErrorClass = abstract new (...args: never[]) => BridleError;

const longText = "This model's maximum context length is 8192 tokens, however you requested 9000 tokens.";

/** For each case: the fault, its rehearsed step, the error class, the number of requests, and a part of the error message. */
const rehearsed: readonly (readonly [string, Step, ErrorClass, number, string])[] = [
  ["a page of HTML", { html: true, status: 404 }, ConfigError, 1, "Correct embeddings.baseUrl"],
  ["a page of HTML from a failing service", { html: true, status: 503 }, OverloadedError, 4, "Try again later"],
  ["a refused key", { status: 401 }, AuthenticationError, 1, "embeddings.apiKey"],
  ["a key without permission", { status: 403 }, AuthenticationError, 1, "insufficient permissions"],
  ["a missing model", { status: 404 }, ModelNotFoundError, 1, '"embed-small"'],
  ["too many requests", { status: 429 }, RateLimitError, 4, "Rate limit reached"],
  ["an account without money", { status: 429, error_type: "insufficient_quota" }, BillingError, 1, "current quota"],
  ["a failing service", { status: 500, message: "oh no" }, OverloadedError, 4, "oh no"],
  ["a text that is too long", { status: 400, message: longText }, ContextOverflowError, 1, "8192 tokens"],
  ["another refusal", { status: 400, message: "no dimensions here" }, InvalidRequestError, 1, "no dimensions here"],
  ["a reset", { reset: true }, NetworkError, 4, "the connection was cut"],
  ["an answer that breaks off", { cut: true }, NetworkError, 4, "the connection was cut"],
  ["a stalled answer", { stall: true }, TimeoutError, 1, "sent nothing for 0.2 s"],
  ["dimensions that were not requested", { dimensions: 5 }, ConfigError, 1, "Set embeddings.dimensions to 5"],
];

const json = { "content-type": "application/json" };
const html = { status: 200, body: "<html><body>Welcome</body></html>" };
const redirect = { status: 302, body: "", headers: { location: "https://elsewhere.example/login" } };
const broken = { status: 200, body: '{"data":[{"embedding":[1]},{"embedding":[NaN]}]}', headers: json };
const answerOf = (...embeddings: unknown[]): Answering => {
  return () => ({ status: 200, body: { data: embeddings.map((embedding) => ({ embedding })) } });
};
const oneTooFew: Answering = (request) => ({ status: 200, body: { data: goodAnswer(request).data.slice(1) } });

const beyondRehearsal: readonly (readonly [string, Answering, ErrorClass, string])[] = [
  ["a page of HTML with status 200", () => html, ConfigError, "Correct embeddings.baseUrl"],
  ["a redirect", () => redirect, ConfigError, "a redirect to https://elsewhere.example/login"],
  ["another protocol", () => ({ status: 200, body: { hello: "you" } }), ConfigError, "Correct embeddings.baseUrl"],
  ["fewer vectors than texts", oneTooFew, BackendCrashError, "with 1 vectors for 2 texts"],
  ["a null instead of a vector", answerOf([1], null), BackendCrashError, "a value that is not a list of numbers"],
  ["a null in a vector", answerOf([1], [null]), BackendCrashError, "a value that is not a list of numbers"],
  ["a NaN, which is not JSON", () => broken, BackendCrashError, "a value that is not a list of numbers"],
  ["a number beyond 32 bits", answerOf([1], [1e300]), BackendCrashError, "finite 32-bit numbers"],
  ["silence", () => "stall", TimeoutError, "sent nothing for 0.2 s"],
];

/** Returns the allowed silence: short if silence is the fault, and long enough for a busy machine in all other cases. */
const idleOptions = (errorClass: ErrorClass) => ({ idleTimeoutMs: errorClass === TimeoutError ? 200 : 20_000 });

export function testEmbedderFaults({ name, start, rehearse }: EmbedderUnderTest): void {
  describe(name, () => {
    test.each(rehearsed)("%s is reported as its error", async (_, step, errorClass, requests, expectedText) => {
      const options = { dimensions: 8, ...idleOptions(errorClass) };
      const { rehearsal, embedder } = await rehearse([{ steps: [{ ...step, forever: true }] }], options);
      expectError(await rejectionOf(embedder.embed(["a", "b"])), errorClass, expectedText);
      expect(rehearsal.requests).toHaveLength(requests);
      expect(rehearsal.failures).toEqual([]);
    });

    test.each(beyondRehearsal)("%s is reported as its error", async (_, answering, errorClass, expectedText) => {
      const { server, embedder } = await start(idleOptions(errorClass), answering);
      expectError(await rejectionOf(embedder.embed(["a", "b"])), errorClass, expectedText);
      expect(server.requests).toHaveLength(1);
    });

    test("an error leaves out a key that the host repeats, in its causes too", async () => {
      const body = { error: { message: `Nobody knows ${key}.` } };
      const { embedder } = await start({}, () => ({ status: 400, body, headers: { "x-echo": key } }));
      const failure = await rejectionOf(embedder.embed(["a private text"]));
      expect(failure.message).toContain("Nobody knows");
      expect(inspect(failure, { depth: 20, showHidden: true })).not.toMatch(/key-of-the-options|a private text/);
    });

    test("a host that does not listen is a NetworkError, after three retries", async () => {
      const { server, embedder, pauses } = await start();
      await server.close();
      expectError(await rejectionOf(embedder.embed(["a"])), NetworkError, server.url);
      expect(pauses).toEqual([500, 1000, 2000]);
    });

    test.each<[string, Step]>([
      ["500", { status: 500 }],
      ["429", { status: 429 }],
      ["a reset", { reset: true }],
      ["an answer that breaks off", { cut: true }],
    ])("after %s, only that batch is sent again", async (_, step) => {
      const turns = [{ when: { user: "second" }, steps: [{ ...step, times: 1 }] }];
      const { rehearsal, embedder, pauses } = await rehearse(turns, { batchSize: 1 });
      expect((await embedder.embed(["first", "second", "third"])).vectors).toHaveLength(3);
      const asked = rehearsal.requests.map(({ body }) => JSON.stringify(body).match(/first|second|third/)?.[0]);
      expect(asked.toSorted()).toEqual(["first", "second", "second", "third"]);
      expect(pauses).toEqual([500]);
    });

    test("a retry waits as long as retry-after says", async () => {
      const turns = [{ steps: [{ status: 429, headers: { "retry-after": 7 }, times: 1 }] }];
      const { embedder, pauses } = await rehearse(turns);
      await embedder.embed(["a"]);
      expect(pauses).toEqual([7000]);
    });
  });
}

function expectError(failure: BridleError, errorClass: ErrorClass, expectedText: string): void {
  expect(failure).toBeInstanceOf(errorClass);
  expect(failure.message).toContain(expectedText);
  const shown = `${failure.message} ${JSON.stringify(failure)}`;
  expect(shown).not.toContain(key);
  expect(shown).not.toContain("llm.provider");
}
