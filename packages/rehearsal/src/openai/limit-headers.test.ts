import { expect, test } from "vitest";
import { toLimitHeaders } from "./limit-headers.ts";

test("a used up limit says that nothing is left, when it opens again, and when to retry", () => {
  expect(toLimitHeaders({ resetsInSeconds: 59.5, window: "five_hour", status: "rejected" })).toEqual({
    "x-ratelimit-limit-requests": "100",
    "x-ratelimit-remaining-requests": "0",
    "x-ratelimit-reset-requests": "60s",
    "retry-after": "60",
    "retry-after-ms": "60000",
  });
});

test("a limit that is nearly used up says what is left and asks for no retry", () => {
  const limit = { resetsInSeconds: 60, window: "five_hour", status: "allowed_warning" } as const;
  expect(toLimitHeaders({ ...limit, utilization: 0.92 })["x-ratelimit-remaining-requests"]).toBe("8");
  expect(toLimitHeaders(limit)).not.toHaveProperty("retry-after");
});
