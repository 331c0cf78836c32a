import { expect, test } from "vitest";
import { type FailureFacts, failureError } from "./failure-errors.ts";

const facts: FailureFacts = {
  model: "gpt-6-sol",
  address: "GitHub Copilot",
  redact: (text) => text,
  login: { host: "https://github.com", name: "octo", token: "gho_made_up" },
};
const failed = (statusCode: number, code: string, message: string, more = {}) =>
  failureError(
    { statusCode, errorMessage: JSON.stringify({ message, code }), quotaSnapshots: undefined, ...more },
    facts,
  );

test("a month whose included usage is used up is a UsageLimitError, with the reset that the service reports", () => {
  const resetDate = "2999-12-01T00:00:00Z";
  const quotaSnapshots = { premium_interactions: { remainingPercentage: 0, resetDate } };
  expect(failed(402, "quota_exceeded", "You have no quota", { quotaSnapshots })).toMatchObject({
    code: "usage_limit",
    window: "month",
    resetsAt: new Date(resetDate),
  });
  expect(failed(402, "quota_exceeded", "You have no quota")).toMatchObject({
    code: "usage_limit",
    resetsAt: undefined,
  });
});

test.each([
  [
    "user_global_rate_limited:pro",
    "you've exceeded your 5 hour session limits. Please retry after 2733 seconds.",
    "five_hour",
    2733,
  ],
  [
    "user_weekly_rate_limited",
    "you've exceeded your weekly rate limit. Please try again in 51 hours.",
    "seven_day",
    51 * 3600,
  ],
])(
  "a used-up window that is shorter than a month is a UsageLimitError, with the reset in the words of the service: %s",
  (code, message, window, seconds) => {
    const error = failed(429, code, message);
    expect(error).toMatchObject({ code: "usage_limit", window });
    const resetsAt = "resetsAt" in error && error.resetsAt instanceof Date ? error.resetsAt.getTime() : 0;
    expect(Math.abs(resetsAt - Date.now() - seconds * 1000)).toBeLessThan(10_000);
  },
);

test.each([
  [429, "user_model_rate_limited", "rate_limit"],
  [402, "billing_not_configured", "billing"],
  [402, "session_quota_exceeded", "billing"],
  [401, "unauthorized", "authentication"],
  [403, "policy", "authentication"],
  [400, "model_not_supported", "model_not_found"],
  [400, "model_max_prompt_tokens_exceeded", "context_overflow"],
  [404, "not_found", "model_not_found"],
  [503, "unavailable", "overloaded"],
])(
  "a failure that is no used-up window, with the status %d and the code %s, is a %s error",
  (status, code, expected) => {
    expect(failed(status, code, "It failed.").code).toBe(expected);
  },
);

test("with a key, which has no plan, the code of a used-up window is a RateLimitError", () => {
  const { login: _, ...withKey } = facts;
  const failure = { statusCode: 429, errorMessage: '{"code":"user_weekly_rate_limited"}', quotaSnapshots: undefined };
  expect(failureError(failure, { ...withKey, login: undefined }).code).toBe("rate_limit");
});
