/** Which error each fault of a host is, on every embedder; and how often the host is asked. */
import {
  AuthenticationError,
  BackendCrashError,
  BillingError,
  ConfigError,
  ContextOverflowError,
  InvalidRequestError,
  ModelNotFoundError,
  NetworkError,
  OverloadedError,
  RateLimitError,
  TimeoutError,
} from "@bridle/core";
import { describe, expect, test } from "vitest";
import { type EmbedderUnderTest, failureOf, key } from "./embedders.ts";
import { type Answering, goodAnswer, type Reply } from "./embeddings-server.ts";

interface Fault {
  readonly fault: string;
  readonly reply: Reply | Answering;
  readonly error: abstract new (...args: never[]) => Error;
  /** How often the host is asked. */
  readonly requests: number;
  readonly says: string;
}

const html = "<html><body>Welcome</body></html>";
const json = { "content-type": "application/json" };
const error = (status: number, message: string, code?: string) => ({ status, body: { error: { message, code } } });
const vectors = (...embeddings: unknown[]) => ({
  status: 200,
  body: { data: embeddings.map((embedding) => ({ embedding })) },
});

const faults: readonly Fault[] = [
  {
    fault: "a page of HTML",
    reply: { status: 200, body: html },
    error: ConfigError,
    requests: 1,
    says: "embeddings.baseUrl",
  },
  {
    fault: "a page of HTML that says 404",
    reply: { status: 404, body: html },
    error: ConfigError,
    requests: 1,
    says: "embeddings.baseUrl",
  },
  {
    fault: "a redirect",
    reply: { status: 302, body: "", headers: { location: "https://elsewhere.example/login" } },
    error: ConfigError,
    requests: 1,
    says: "a redirect to https://elsewhere.example/login",
  },
  {
    fault: "another protocol",
    reply: { status: 200, body: { hello: "world" } },
    error: ConfigError,
    requests: 1,
    says: "embeddings.baseUrl",
  },
  {
    fault: "401",
    reply: error(401, "no such key", "invalid_api_key"),
    error: AuthenticationError,
    requests: 1,
    says: "embeddings.apiKey",
  },
  { fault: "403", reply: error(403, "not for you"), error: AuthenticationError, requests: 1, says: "not for you" },
  {
    fault: "404 for a model",
    reply: error(404, "not here", "model_not_found"),
    error: ModelNotFoundError,
    requests: 1,
    says: "embed-small",
  },
  { fault: "429", reply: error(429, "slow down"), error: RateLimitError, requests: 4, says: "slow down" },
  {
    fault: "429 for an empty account",
    reply: error(429, "pay first", "insufficient_quota"),
    error: BillingError,
    requests: 1,
    says: "pay first",
  },
  { fault: "500, again and again", reply: error(500, "oh no"), error: OverloadedError, requests: 4, says: "oh no" },
  {
    fault: "a page of HTML that says 503",
    reply: { status: 503, body: html },
    error: OverloadedError,
    requests: 4,
    says: "Try again later",
  },
  {
    fault: "a refusal of a text that is too long",
    reply: error(400, "This model's maximum context length is 8192 tokens, however you requested 9000 tokens"),
    error: ContextOverflowError,
    requests: 1,
    says: "8192 tokens",
  },
  {
    fault: "another refusal",
    reply: error(400, "dimensions are not for this model"),
    error: InvalidRequestError,
    requests: 1,
    says: "not for this model",
  },
  { fault: "a reset, again and again", reply: "reset", error: NetworkError, requests: 4, says: "cut" },
  {
    fault: "an answer that breaks off, again and again",
    reply: "cut",
    error: NetworkError,
    requests: 4,
    says: "cannot be reached",
  },
  {
    fault: "fewer vectors than texts",
    reply: (request) => ({ status: 200, body: { data: goodAnswer(request).data.slice(1) } }),
    error: BackendCrashError,
    requests: 1,
    says: "with 1 vectors for 2 texts",
  },
  {
    fault: "a null for a vector",
    reply: vectors([1], null),
    error: BackendCrashError,
    requests: 1,
    says: "else than a list of numbers",
  },
  {
    fault: "a null within a vector",
    reply: vectors([1], [null]),
    error: BackendCrashError,
    requests: 1,
    says: "else than a list of numbers",
  },
  {
    fault: "a NaN, which is not JSON",
    reply: { status: 200, body: '{"data":[{"embedding":[1]},{"embedding":[NaN]}]}', headers: json },
    error: BackendCrashError,
    requests: 1,
    says: "else than a list of numbers",
  },
  {
    fault: "a number past 32 bits",
    reply: vectors([1], [1e300]),
    error: BackendCrashError,
    requests: 1,
    says: "finite 32-bit numbers",
  },
  { fault: "silence", reply: "stall", error: TimeoutError, requests: 1, says: "sent nothing for 0.2 s" },
];

export function embedderFaultLaws({ name, start }: EmbedderUnderTest): void {
  describe(name, () => {
    test.each(faults)("$fault is a $error.name after $requests requests", async ({ reply, error, requests, says }) => {
      const answering = typeof reply === "function" ? reply : () => reply;
      const { server, embedder } = await start({ idleTimeoutMs: 200 }, answering);
      const failure = await failureOf(embedder.embed(["a", "b"]));
      expect(failure).toBeInstanceOf(error);
      expect(failure.message).toContain(says);
      expect(server.requests).toHaveLength(requests);
      const told = `${failure.message} ${JSON.stringify(failure)}`;
      expect(told).not.toContain(key);
      expect(told).not.toContain("llm.provider");
    });

    test.each<[string, Reply]>([
      ["500", error(500, "oh no")],
      ["429", error(429, "slow down")],
      ["a reset", "reset"],
      ["an answer that breaks off", "cut"],
    ])("%s is made good by asking again, for that batch alone", async (_, fault) => {
      let failures = 0;
      const { server, embedder, pauses } = await start({ batchSize: 1 }, ({ body }) =>
        body.input[0] === "b" && failures++ === 0 ? fault : undefined,
      );
      const { vectors } = await embedder.embed(["a", "b", "c"]);
      expect(vectors).toHaveLength(3);
      expect(server.requests.map(({ body }) => body.input[0]).sort()).toEqual(["a", "b", "b", "c"]);
      expect(pauses).toEqual([500]);
    });

    test("a host that says when to ask again is asked then", async () => {
      const busy = { ...error(429, "slow down"), headers: { "retry-after": "7" } };
      const { embedder, pauses } = await start({}, (_, index) => (index === 0 ? busy : undefined));
      await embedder.embed(["a"]);
      expect(pauses).toEqual([7000]);
    });

    test("a host that does not listen is a NetworkError that names its address", async () => {
      const { server, embedder, pauses } = await start();
      await server.close();
      const failure = await failureOf(embedder.embed(["a"]));
      expect(failure).toBeInstanceOf(NetworkError);
      expect(failure.message).toContain(server.url);
      expect(pauses).toEqual([500, 1000, 2000]);
    });
  });
}
