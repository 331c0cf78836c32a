/** Which error each fault of a host is, on every embedder; and how often the host is asked. */
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
import { type EmbedderUnderTest, failureOf, key } from "./embedders.ts";
import { type Answering, goodAnswer } from "./embeddings-server.ts";

type Step = ScriptInput["turns"][number]["steps"][number];
type ErrorClass = abstract new (...args: never[]) => BridleError;

const longText = "This model's maximum context length is 8192 tokens, however you requested 9000 tokens.";

/** The fault, the class of the error, how often the host is asked, and a part of what the error says. */
const rehearsed: readonly (readonly [string, Step, ErrorClass, number, string])[] = [
  ["a page of HTML", { html: true, status: 404 }, ConfigError, 1, "mend embeddings.baseUrl"],
  ["a page of HTML of a failing service", { html: true, status: 503 }, OverloadedError, 4, "Try again later"],
  ["a key that is refused", { status: 401 }, AuthenticationError, 1, "embeddings.apiKey"],
  ["a key that may not", { status: 403 }, AuthenticationError, 1, "insufficient permissions"],
  ["a model that is not there", { status: 404 }, ModelNotFoundError, 1, '"embed-small"'],
  ["too many requests", { status: 429 }, RateLimitError, 4, "Rate limit reached"],
  ["an account without money", { status: 429, error_type: "insufficient_quota" }, BillingError, 1, "current quota"],
  ["a failing service", { status: 500, message: "oh no" }, OverloadedError, 4, "oh no"],
  ["a text that is too long", { status: 400, message: longText }, ContextOverflowError, 1, "8192 tokens"],
  ["another refusal", { status: 400, message: "no dimensions here" }, InvalidRequestError, 1, "no dimensions here"],
  ["a reset", { reset: true }, NetworkError, 4, "the connection was cut"],
  ["an answer that breaks off", { cut: true }, NetworkError, 4, "the connection was cut"],
  ["an answer that stops", { stall: true }, TimeoutError, 1, "sent nothing for 0.2 s"],
  ["other dimensions than were asked for", { dimensions: 5 }, ConfigError, 1, "Set embeddings.dimensions to 5"],
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
  ["a page of HTML that says 200", () => html, ConfigError, "mend embeddings.baseUrl"],
  ["a redirect", () => redirect, ConfigError, "a redirect to https://elsewhere.example/login"],
  ["another protocol", () => ({ status: 200, body: { hello: "you" } }), ConfigError, "mend embeddings.baseUrl"],
  ["fewer vectors than texts", oneTooFew, BackendCrashError, "with 1 vectors for 2 texts"],
  ["a null for a vector", answerOf([1], null), BackendCrashError, "else than a list of numbers"],
  ["a null within a vector", answerOf([1], [null]), BackendCrashError, "else than a list of numbers"],
  ["a NaN, which is not JSON", () => broken, BackendCrashError, "else than a list of numbers"],
  ["a number past 32 bits", answerOf([1], [1e300]), BackendCrashError, "finite 32-bit numbers"],
  ["silence", () => "stall", TimeoutError, "sent nothing for 0.2 s"],
];

/** Short where silence is the fault, and otherwise long enough for a busy machine. */
const patience = (errorClass: ErrorClass) => ({ idleTimeoutMs: errorClass === TimeoutError ? 200 : 20_000 });

export function embedderFaultLaws({ name, start, rehearse }: EmbedderUnderTest): void {
  describe(name, () => {
    test.each(rehearsed)("%s", async (_, step, errorClass, requests, says) => {
      const options = { dimensions: 8, ...patience(errorClass) };
      const { rehearsal, embedder } = await rehearse([{ steps: [{ ...step, forever: true }] }], options);
      expectError(await failureOf(embedder.embed(["a", "b"])), errorClass, says);
      expect(rehearsal.requests).toHaveLength(requests);
      expect(rehearsal.failures).toEqual([]);
    });

    test.each(beyondRehearsal)("%s", async (_, answering, errorClass, says) => {
      const { server, embedder } = await start(patience(errorClass), answering);
      expectError(await failureOf(embedder.embed(["a", "b"])), errorClass, says);
      expect(server.requests).toHaveLength(1);
    });

    test("a host that repeats the key is told of without it, in the causes too", async () => {
      const body = { error: { message: `Nobody knows ${key}.` } };
      const { embedder } = await start({}, () => ({ status: 400, body, headers: { "x-echo": key } }));
      const failure = await failureOf(embedder.embed(["a private text"]));
      expect(failure.message).toContain("Nobody knows");
      expect(inspect(failure, { depth: 20, showHidden: true })).not.toMatch(/key-of-the-options|a private text/);
    });

    test("a host that does not listen", async () => {
      const { server, embedder, pauses } = await start();
      await server.close();
      expectError(await failureOf(embedder.embed(["a"])), NetworkError, server.url);
      expect(pauses).toEqual([500, 1000, 2000]);
    });

    test.each<[string, Step]>([
      ["500", { status: 500 }],
      ["429", { status: 429 }],
      ["a reset", { reset: true }],
      ["an answer that breaks off", { cut: true }],
    ])("%s is made good by asking again, for that batch alone", async (_, step) => {
      const turns = [{ when: { user: "second" }, steps: [{ ...step, times: 1 }] }];
      const { rehearsal, embedder, pauses } = await rehearse(turns, { batchSize: 1 });
      expect((await embedder.embed(["first", "second", "third"])).vectors).toHaveLength(3);
      const asked = rehearsal.requests.map(({ body }) => JSON.stringify(body).match(/first|second|third/)?.[0]);
      expect(asked.toSorted()).toEqual(["first", "second", "second", "third"]);
      expect(pauses).toEqual([500]);
    });

    test("a host that says when to ask again is asked then", async () => {
      const turns = [{ steps: [{ status: 429, headers: { "retry-after": 7 }, times: 1 }] }];
      const { embedder, pauses } = await rehearse(turns);
      await embedder.embed(["a"]);
      expect(pauses).toEqual([7000]);
    });
  });
}

function expectError(failure: BridleError, errorClass: ErrorClass, says: string): void {
  expect(failure).toBeInstanceOf(errorClass);
  expect(failure.message).toContain(says);
  const told = `${failure.message} ${JSON.stringify(failure)}`;
  expect(told).not.toContain(key);
  expect(told).not.toContain("llm.provider");
}
