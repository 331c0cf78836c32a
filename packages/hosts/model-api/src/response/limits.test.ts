import { expect, test } from "vitest";
import { limitWarning, readLimit } from "./limits.ts";

const prefix = "anthropic-ratelimit-unified-";

test("a window is read with its name, its utilization and its reset time", () => {
  const headers = {
    [`${prefix}status`]: "allowed_warning",
    [`${prefix}representative-claim`]: "seven_day",
    [`${prefix}reset`]: "1800000000",
    [`${prefix}7d-utilization`]: "0.91",
  };
  const limit = readLimit(headers);
  expect(limit).toEqual({
    status: "allowed_warning",
    window: "seven_day",
    resetsAt: new Date(1_800_000_000_000),
    utilization: 0.91,
  });
  expect(limit && limitWarning(limit)).toEqual({
    type: "limit.warned",
    window: "seven_day",
    resetsAt: 1_800_000_000_000,
    utilization: 0.91,
  });
});

test("values that a host leaves out are left out", () => {
  const limit = readLimit({ [`${prefix}status`]: "rejected" });
  expect(limit).toEqual({ status: "rejected", window: "subscription" });
  expect(readLimit({ "anthropic-ratelimit-requests-remaining": "0" })).toBeUndefined();
});

test("only the status allowed_warning is a warning", () => {
  for (const status of ["allowed", "rejected"]) expect(limitWarning({ status, window: "five_hour" })).toBeUndefined();
});
