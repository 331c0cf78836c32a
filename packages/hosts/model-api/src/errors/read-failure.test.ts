import { inspect } from "node:util";
import { APICallError } from "@ai-sdk/provider";
import {
  AuthenticationError,
  BackendCrashError,
  BillingError,
  ContextOverflowError,
  InvalidRequestError,
  ModelNotFoundError,
  NetworkError,
  OverloadedError,
  RateLimitError,
  UsageLimitError,
} from "@bridle/protocol";
import { describe, expect, test } from "vitest";
import { readFailure } from "./read-failure.ts";
import { toRequestError } from "./request-error.ts";

const facts = {
  backend: "openai",
  baseUrl: "https://api.example.com/v1",
  model: "gpt-6",
  authRemedy: "Check llm.provider.apiKey.",
  knownModels: ["gpt-6-sol"],
  redact: (text: string) => text,
};

function apiError(statusCode: number | undefined, error: object | string, headers: Record<string, string> = {}) {
  const responseBody = typeof error === "string" ? error : JSON.stringify({ error });
  const status = statusCode === undefined ? {} : { statusCode };
  const parts = { url: facts.baseUrl, requestBodyValues: { secret: "prompt" }, responseHeaders: headers };
  return new APICallError({ message: "failed", responseBody, ...status, ...parts });
}

/** Wraps an error as the AI SDK does after its last attempt. */
function retryError(lastError: unknown): Error {
  return Object.assign(new Error("Failed after 3 attempts."), {
    name: "AI_RetryError",
    lastError,
    errors: [lastError],
  });
}

test.each([
  ["an API error", (error: Error) => error],
  ["the AI SDK's retry error", retryError],
  ["a cause", (error: Error) => new Error("outer", { cause: error })],
  ["a retry error in a cause", (error: Error) => new Error("outer", { cause: retryError(error) })],
])("status, code, message and headers are found in %s", (_, wrap) => {
  const inner = apiError(404, { code: "model_not_found", message: "no such model" }, { "Retry-After": "3" });
  expect(readFailure(wrap(inner))).toMatchObject({
    status: 404,
    codes: expect.arrayContaining(["model_not_found"]),
    headers: { "retry-after": "3" },
  });
  expect(toRequestError(wrap(inner), facts)).toMatchObject({ code: "model_not_found", nearest: ["gpt-6-sol"] });
});

test("a BridleError is returned, however deep it is wrapped", () => {
  const own = new NetworkError("lost");
  expect(toRequestError(retryError(new Error("outer", { cause: own })), facts)).toBe(own);
});

test("a circular chain of causes is read once", () => {
  const error = new Error("round");
  error.cause = error;
  expect(toRequestError(error, facts)).toBeInstanceOf(BackendCrashError);
});

describe("the host's code or message counts before the status", () => {
  test.each([
    [429, { code: "insufficient_quota", message: "You exceeded your current quota" }, BillingError],
    [400, { type: "invalid_request_error", message: "Your credit balance is too low to access the API" }, BillingError],
    [400, { code: "context_length_exceeded", message: "too many" }, ContextOverflowError],
    [400, { type: "invalid_request_error", message: "Input is too long for requested model." }, ContextOverflowError],
    [400, { code: "model_not_found", message: "The model does not exist" }, ModelNotFoundError],
    [400, { code: "invalid_api_key", message: "Incorrect API key" }, AuthenticationError],
    [400, { message: "The provided model identifier is invalid." }, ModelNotFoundError],
    [400, { message: "model 'llama9' not found, try pulling it first" }, ModelNotFoundError],
    [404, { message: "The model `llama9` does not exist.", code: 404 }, ModelNotFoundError],
    [403, { message: "INVALID_PAYMENT_INSTRUMENT: A valid payment instrument must be provided." }, BillingError],
    [undefined, { message: "Could not load the default credentials." }, AuthenticationError],
    [200, { type: "overloaded_error", message: "Overloaded" }, OverloadedError],
    [undefined, { type: "overloaded_error", message: "Overloaded" }, OverloadedError],
    [undefined, { type: "rate_limit_error", message: "slow" }, RateLimitError],
    [undefined, { type: "invalid_request_error", message: "odd" }, InvalidRequestError],
  ])("status %s with %j is a %O", (status, error, type) => {
    expect(toRequestError(apiError(status, error), facts)).toBeInstanceOf(type);
  });

  test("also in a stream part, as text or as an object", () => {
    expect(toRequestError({ type: "overloaded_error", message: "Overloaded" }, facts)).toBeInstanceOf(OverloadedError);
    expect(toRequestError({ statusCode: 529, message: "x", data: {} }, facts)).toBeInstanceOf(OverloadedError);
    const slow = { error: { code: "rate_limit_exceeded", message: "slow" } };
    expect(toRequestError({ type: "response.failed", response: slow }, facts)).toBeInstanceOf(RateLimitError);
    expect(toRequestError({ error: { code: "context_length_exceeded", message: "x" } }, facts)).toBeInstanceOf(
      ContextOverflowError,
    );
    expect(toRequestError("something broke", facts)).toMatchObject({
      message: expect.stringContaining("something broke"),
    });
  });
});

test.each([
  [404, "404 page not found"],
  [404, '{"detail":"Not Found"}'],
  [404, ""],
  [405, '{"error":{"message":"no POST here"}}'],
])("%i with %j, which no model API sends, means a wrong base URL", (status, body) => {
  expect(toRequestError(apiError(status, body), facts)).toMatchObject({
    code: "config",
    field: "llm.provider.baseUrl",
  });
});

describe("a 429", () => {
  const unified = (status: string) => ({
    "anthropic-ratelimit-unified-status": status,
    "anthropic-ratelimit-unified-reset": "1800000000",
    "anthropic-ratelimit-unified-representative-claim": "seven_day",
  });

  test("with a used-up window is a UsageLimitError that names the window and its reset time", () => {
    expect(toRequestError(apiError(429, { message: "limit" }, unified("rejected")), facts)).toMatchObject({
      code: "usage_limit",
      window: "seven_day",
      resetsAt: new Date(1_800_000_000_000),
    });
    expect(toRequestError(apiError(429, {}, unified("rejected")), facts)).toBeInstanceOf(UsageLimitError);
  });

  test("with a window that is not used up is a RateLimitError", () => {
    expect(toRequestError(apiError(429, { message: "slow" }, unified("allowed")), facts)).toBeInstanceOf(
      RateLimitError,
    );
  });
});

test("the causes of an error are copies without the request, the response or a credential", () => {
  const thrown = apiError(500, { message: "broke at hunter2" }, { "x-echo": "hunter2" });
  const redact = (text: string) => text.replaceAll("hunter2", "[secret]");
  const error = toRequestError(retryError(new Error("at hunter2", { cause: thrown })), { ...facts, redact });
  const causes = [error.cause];
  while (causes.at(-1) instanceof Error) causes.push((causes.at(-1) as Error).cause);
  expect(causes.map(String)).toEqual([
    "AI_RetryError: Failed after 3 attempts.",
    "Error: at [secret]",
    "AI_APICallError: failed",
    "undefined",
  ]);
  expect(inspect(error, { depth: 20, showHidden: true })).not.toMatch(/prompt|hunter2/);
  expect(JSON.stringify(error)).not.toContain("cause");
});
