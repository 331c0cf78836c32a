import { expect, test } from "vitest";
import { toOpenAILimitHeaders } from "./limit-headers.ts";

test("a used-up limit has no remaining requests, a reset time and the time of a retry", () => {
  expect(toOpenAILimitHeaders({ resetsInSeconds: 59.5, window: "five_hour", status: "rejected" })).toEqual({
    "x-ratelimit-limit-requests": "100",
    "x-ratelimit-remaining-requests": "0",
    "x-ratelimit-reset-requests": "60s",
    "retry-after": "60",
    "retry-after-ms": "60000",
  });
});

test("a limit that is nearly used up has remaining requests, and no retry", () => {
  const limit = { resetsInSeconds: 60, window: "five_hour", status: "allowed_warning" } as const;
  expect(toOpenAILimitHeaders({ ...limit, utilization: 0.92 })["x-ratelimit-remaining-requests"]).toBe("8");
  expect(toOpenAILimitHeaders(limit)).not.toHaveProperty("retry-after");
});
