import { expect, test } from "vitest";
import { createUsageLimitError, opensAgain } from "./usage-limit-error.ts";

const opens = new Date(2026, 10, 22, 16, 30); // by the clock of this machine
const minutesBefore = (minutes: number) => opens.getTime() - minutes * 60_000;

test.each([
  [0.2, "in 1 minute"],
  [4.5, "in 5 minutes"],
  [60, "in 1 hour"],
  [124.5, "in 2 hours and 5 minutes"],
  [24 * 60 + 59, "in 1 day"],
  [6 * 24 * 60 + 61, "in 6 days and 1 hour"],
  [-3, "now"],
])("%d minutes before its reset a window opens %s", (minutes, said) => {
  expect(opensAgain(opens, minutesBefore(minutes))).toBe(`opens again ${said} (22 Nov 2026, 16:30 local time)`);
});

test("the error for a used-up window has its reset as a field, and a remedy", () => {
  const error = createUsageLimitError("five_hour", opens, minutesBefore(5));
  expect(error).toMatchObject({ window: "five_hour", resetsAt: opens });
  expect(error.message).toMatch(
    /^The usage window five_hour is used up\. It opens again in 5 minutes .*onUsageLimit: wait/,
  );
});

test("the error for a window without a known reset says that the reset is unknown", () => {
  const error = createUsageLimitError("subscription", undefined);
  expect(error.message).toContain("not known when it opens again");
  expect(error.resetsAt).toBeUndefined();
});
