import type { EventLog, LimitState } from "@bridle/protocol";
import { describe, expect, test } from "vitest";

const early: LimitState = { window: "five_hour", resetsAt: 1_800_000_000_000 };
const late: LimitState = { window: "seven_day", resetsAt: 1_800_000_100_000.5 };

/** Declares the tests of every event log that shares used-up usage windows. */
export function testSharedLimits(open: () => Promise<EventLog>): void {
  async function openLimits() {
    const { limits } = await open();
    if (!limits) throw new Error("The event log shares no limits.");
    return limits;
  }

  describe("shares used-up windows:", () => {
    test("keeps one window for each account, until it is replaced or removed", async () => {
      const limits = await openLimits();
      expect(await limits.read("ada")).toBeUndefined();
      expect(await limits.replace("ada", undefined, early)).toBe(true);
      expect(await limits.read("ada")).toEqual(early);
      expect(await limits.read("bob")).toBeUndefined();
      expect(await limits.replace("ada", early, late)).toBe(true);
      expect(await limits.read("ada")).toEqual(late);
      expect(await limits.replace("ada", late, undefined)).toBe(true);
      expect(await limits.read("ada")).toBeUndefined();
    });

    test("changes nothing if another window is stored than the expected one", async () => {
      const limits = await openLimits();
      expect(await limits.replace("ada", early, late)).toBe(false);
      expect(await limits.read("ada")).toBeUndefined();
      await limits.replace("ada", undefined, late);
      expect(await limits.replace("ada", undefined, early)).toBe(false);
      expect(await limits.replace("ada", early, undefined)).toBe(false);
      expect(await limits.replace("ada", { ...late, window: early.window }, early)).toBe(false);
      expect(await limits.read("ada")).toEqual(late);
    });

    test("is content if the window that it shall store is stored already", async () => {
      const limits = await openLimits();
      await limits.replace("ada", undefined, late);
      expect(await limits.replace("ada", undefined, late)).toBe(true);
      expect(await limits.replace("ada", early, late)).toBe(true);
      expect(await limits.replace("bob", early, undefined)).toBe(true);
      expect(await limits.read("ada")).toEqual(late);
      expect(await limits.read("bob")).toBeUndefined();
    });

    test("lets one succeed of several that replace the same window at the same time", async () => {
      const limits = await openLimits();
      const windows = Array.from({ length: 8 }, (_, index) => ({ window: "w", resetsAt: index + 1 }));
      const first = await Promise.all(windows.map((window) => limits.replace("ada", undefined, window)));
      expect(first.filter(Boolean)).toHaveLength(1);
      const stored = await limits.read("ada");
      const next = await Promise.all(
        windows.map(({ resetsAt }) => limits.replace("ada", stored, { window: "x", resetsAt })),
      );
      expect(next.filter(Boolean)).toHaveLength(1);
      expect(await limits.read("ada")).toMatchObject({ window: "x" });
    });
  });
}
