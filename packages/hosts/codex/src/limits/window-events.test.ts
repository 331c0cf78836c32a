import { expect, test } from "vitest";
import type { HostLimits } from "../messages/messages.ts";
import { WindowWarnings } from "./window-events.ts";
import { mergeLimits } from "./windows.ts";

const hours = (usedPercent: number) => ({ usedPercent, windowDurationMins: 300, resetsAt: 2_000_000_000 });
const week = (usedPercent: number) => ({ usedPercent, windowDurationMins: 10_080, resetsAt: 2_000_500_000 });

test("a window is reported once when it is used by 75, 90 and 95 percent", () => {
  const warnings = new WindowWarnings();
  const shares = [74, 75, 80, 91, 91, 96, 99].map((used) => warnings.update({ primary: hours(used) }).length);
  expect(shares).toEqual([0, 1, 0, 1, 0, 1, 0]);
});

test("a warning has the name of the window, its reset and the used share", () => {
  expect(new WindowWarnings().update({ primary: hours(10), secondary: week(92) })).toEqual([
    { type: "limit.warned", window: "seven_day", resetsAt: 2_000_500_000_000, utilization: 0.92 },
  ]);
});

test("a used-up window is reported only if the turn ends well, because the account has credits", () => {
  const warnings = new WindowWarnings();
  expect(warnings.update({ primary: hours(104) })).toEqual([]);
  expect(warnings.finish()).toMatchObject([{ window: "five_hour", utilization: 1 }]);
});

test("windows of other lengths, and of unknown length, have names too", () => {
  const odd: HostLimits = {
    primary: { usedPercent: 80, windowDurationMins: 60, resetsAt: null },
    secondary: { usedPercent: 80, windowDurationMins: null, resetsAt: null },
  };
  expect(new WindowWarnings().update(odd)).toEqual([
    { type: "limit.warned", window: "60_minutes", utilization: 0.8 },
    { type: "limit.warned", window: "subscription", utilization: 0.8 },
  ]);
});

test("a report without a window does not take back what is known, but one of another limit does", () => {
  const known = { limitId: "codex", primary: hours(50), secondary: week(60) };
  expect(mergeLimits(known, { limitId: "codex", primary: hours(51), secondary: null })).toMatchObject({
    primary: hours(51),
    secondary: week(60),
  });
  expect(mergeLimits(known, { limitId: "other", primary: hours(1) }).secondary).toBeUndefined();
});
