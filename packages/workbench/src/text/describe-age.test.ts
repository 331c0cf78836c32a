import { expect, test } from "vitest";
import { describeAge } from "./describe-age.ts";

test("a time is described by its distance, and by its date from a week on", () => {
  const now = new Date(2026, 10, 22, 12).getTime();
  const ages = [0, 5, 59, 60, 60 * 23, 60 * 24, 60 * 24 * 6].map((minutes) => describeAge(now - minutes * 60_000, now));
  expect(ages).toEqual(["now", "5 min ago", "59 min ago", "1 h ago", "23 h ago", "yesterday", "6 days ago"]);
  expect(describeAge(new Date(2026, 10, 1, 9).getTime(), now)).toBe("2026-11-01");
  expect(describeAge(now + 60_000, now)).toBe("now");
});
