import { expect, test } from "vitest";
import { classifyFailure, type FailureClass, type ObservedFailure } from "./classify-failure.ts";

const classOf = (failure: Partial<ObservedFailure>) => classifyFailure({ codes: [], message: "It failed", ...failure });

test.each<[number, FailureClass | undefined]>([
  [200, undefined],
  [302, undefined],
  [400, "invalid_request"],
  [401, "authentication"],
  [402, "billing"],
  [403, "authentication"],
  [404, "model_not_found"],
  [405, "config"],
  [408, "overloaded"],
  [409, "invalid_request"],
  [413, "context_overflow"],
  [422, "invalid_request"],
  [425, "overloaded"],
  [429, "rate_limit"],
  [500, "overloaded"],
  [503, "overloaded"],
  [529, "overloaded"],
])("status %i alone means %s", (status, expected) => {
  expect(classOf({ status })).toBe(expected);
});

test.each<[string, FailureClass]>([
  ["context_length_exceeded", "context_overflow"],
  ["request_too_large", "context_overflow"],
  ["insufficient_quota", "billing"],
  ["billing_error", "billing"],
  ["model_not_found", "model_not_found"],
  ["invalid_api_key", "authentication"],
  ["AccessDeniedException", "authentication"],
  ["authentication_failed", "authentication"],
  ["account_on_hold", "authentication"],
  ["rate_limit", "rate_limit"],
  ["ThrottlingException", "rate_limit"],
  ["overloaded", "overloaded"],
  ["server_error", "overloaded"],
  ["max_output_tokens", "budget_exceeded"],
])("the code %s means %s, whatever the status", (code, expected) => {
  for (const status of [undefined, 200, 400, 429, 500]) expect(classOf({ status, codes: [code] })).toBe(expected);
});

test("the code invalid_request_error counts only without a status, because services use it for several failures", () => {
  expect(classOf({ codes: ["invalid_request_error"] })).toBe("invalid_request");
  expect(classOf({ codes: ["invalid_request_error"], status: 413 })).toBe("context_overflow");
});

test.each<[string, number | undefined, FailureClass]>([
  ["prompt is too long: 250000 tokens > 200000 maximum", 400, "context_overflow"],
  ["Request exceeds the context window limit per minute", 429, "rate_limit"],
  ["Your credit balance is too low", 400, "billing"],
  ["You exceeded your current quota", 429, "billing"],
  ["model 'llama9' not found, try pulling it first", 400, "model_not_found"],
  ["unknown model or key", 401, "authentication"],
  ["Could not load the default credentials.", undefined, "authentication"],
])("the message %j with status %s means %s", (message, status, expected) => {
  expect(classOf({ message, status })).toBe(expected);
});

test("a 404 without an explanation is a wrong address", () => {
  expect(classOf({ status: 404, isExplained: false })).toBe("config");
  expect(classOf({ status: 404, isExplained: false, codes: ["model_not_found"] })).toBe("model_not_found");
});

test("a response that is no message of the protocol is a wrong address, unless its status is an error", () => {
  expect(classOf({ isGarbled: true })).toBe("config");
  expect(classOf({ isGarbled: true, status: 200 })).toBe("config");
  expect(classOf({ isGarbled: true, status: 502 })).toBe("overloaded");
});

test("a stream that ended early is a lost connection", () => {
  expect(classOf({ isUnfinished: true, status: 200 })).toBe("network");
});

test("a failure without status, code or known words has no class", () => {
  expect(classOf({ message: "Something else" })).toBeUndefined();
});
