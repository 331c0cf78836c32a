import { expect, test } from "vitest";
import { toAnthropicLimitHeaders } from "./limit-headers.ts";

const now = 1_000_000_000;

test("a used-up window has its reset time in seconds, and the time of a retry", () => {
  expect(toAnthropicLimitHeaders({ resetsInSeconds: 60, window: "five_hour", status: "rejected" }, now)).toEqual({
    "anthropic-ratelimit-unified-status": "rejected",
    "anthropic-ratelimit-unified-reset": "1000060",
    "anthropic-ratelimit-unified-representative-claim": "five_hour",
    "anthropic-ratelimit-unified-5h-status": "rejected",
    "anthropic-ratelimit-unified-5h-reset": "1000060",
    "anthropic-ratelimit-unified-5h-utilization": "1",
    "retry-after": "60",
  });
});

test("a window that is nearly used up warns without a retry", () => {
  const headers = toAnthropicLimitHeaders(
    { resetsInSeconds: 60, window: "seven_day", status: "allowed_warning", utilization: 0.92 },
    now,
  );
  expect(headers).toMatchObject({
    "anthropic-ratelimit-unified-status": "allowed_warning",
    "anthropic-ratelimit-unified-7d-utilization": "0.92",
    "anthropic-ratelimit-unified-7d-surpassed-threshold": "0.92",
  });
  expect(headers).not.toHaveProperty("retry-after");
});
