import { BridleError } from "@bridle/protocol";
import { expect, test } from "vitest";
import type { HostLimits, HostTurnError } from "../messages/messages.ts";
import { type CodexFailureFacts, turnError } from "./classify-turn.ts";

const facts: CodexFailureFacts = {
  auth: "session",
  isSubscription: true,
  model: "gpt-6-sol",
  models: ["gpt-6-sol", "gpt-6-luna"],
  hasBaseUrl: false,
  limits: undefined,
};
const nearlyFull: HostLimits = {
  primary: { usedPercent: 20, windowDurationMins: 300, resetsAt: 2_000_000_000 },
  secondary: { usedPercent: 40, windowDurationMins: 10_080, resetsAt: 2_000_500_000 },
};
const full: HostLimits = {
  ...nearlyFull,
  primary: { usedPercent: 100, windowDurationMins: 300, resetsAt: 2_000_000_000 },
};

const codeOf = (
  info: HostTurnError["codexErrorInfo"],
  message = "It failed.",
  given: Partial<CodexFailureFacts> = {},
) => turnError({ message, codexErrorInfo: info }, { ...facts, ...given }).code;

/** Every name in `CodexErrorInfo` of the pinned version's protocol that a turn can end with. */
test.each([
  ["contextWindowExceeded", "context_overflow"],
  ["usageLimitExceeded", "billing"],
  ["rateLimitExceeded", "rate_limit"],
  ["flexUnavailable", "overloaded"],
  ["serverOverloaded", "overloaded"],
  ["modelNotFound", "model_not_found"],
  ["policyCapacityUnavailable", "overloaded"],
  ["inferenceHookDenied", "invalid_request"],
  ["cyberPolicy", "invalid_request"],
  ["misalignmentPolicyViolation", "invalid_request"],
  ["internalServerError", "overloaded"],
  ["unauthorized", "authentication"],
  ["badRequest", "invalid_request"],
  ["sandboxError", "backend_crash"],
  ["other", "backend_crash"],
  ["a-name-of-tomorrow", "backend_crash"],
])("Codex's %s is a %s error", (name, code) => expect(codeOf(name)).toBe(code));

test.each([
  [401, "authentication"],
  [402, "billing"],
  [403, "authentication"],
  [404, "model_not_found"],
  [413, "context_overflow"],
  [429, "rate_limit"],
  [503, "overloaded"],
  [null, "network"],
])("a connection that failed with the status %s is a %s error", (httpStatusCode, code) => {
  expect(codeOf({ httpConnectionFailed: { httpStatusCode } })).toBe(code);
});

test.each([
  ["responseStreamDisconnected", "network"],
  ["responseStreamConnectionFailed", "network"],
])("a stream that broke without a status (%s) is a %s error", (name, code) => {
  expect(codeOf({ [name]: { httpStatusCode: null } })).toBe(code);
});

test.each([
  ["error sending request for url (https://chatgpt.com/x)", "network"],
  ['unexpected status 400 Bad Request: {"error":{"code":"context_length_exceeded"}}', "context_overflow"],
  ["exceeded retry limit, last status: 429 Too Many Requests", "rate_limit"],
])("without a name, the words of Codex decide: %s", (message, code) => expect(codeOf("other", message)).toBe(code));

test("a used-up window is a UsageLimitError with the time when the fullest window opens again", () => {
  const error = turnError(
    { message: "You've hit your usage limit.", codexErrorInfo: "usageLimitExceeded" },
    { ...facts, limits: full },
  );
  expect(error).toMatchObject({ code: "usage_limit", window: "five_hour", resetsAt: new Date(2_000_000_000_000) });
});

test("an account without credits has a BillingError, although its windows were reported", () => {
  const limits = { ...full, rateLimitReachedType: "workspace_member_credits_depleted" };
  expect(codeOf("usageLimitExceeded", "Your workspace is out of credits.", { limits })).toBe("billing");
});

test("too many requests are a RateLimitError as long as no window is used up", () => {
  expect(codeOf({ responseTooManyFailedAttempts: { httpStatusCode: 429 } }, "429", { limits: nearlyFull })).toBe(
    "rate_limit",
  );
  expect(codeOf({ responseTooManyFailedAttempts: { httpStatusCode: 429 } }, "429", { limits: full })).toBe(
    "usage_limit",
  );
});

test("a lost connection names the setting for the address only if it is set", () => {
  const lost = { message: "connection reset", codexErrorInfo: "responseStreamDisconnected" };
  expect(turnError(lost, facts)).toBeInstanceOf(BridleError);
  expect(turnError(lost, facts).message).toMatch(/Check the network\.$/);
  expect(turnError(lost, { ...facts, hasBaseUrl: true }).message).toMatch(
    /Check the network, and llm\.provider\.baseUrl\.$/,
  );
});
