import type { RunEvent } from "@bridle/protocol";
import { expect, test } from "vitest";
import { reportWaiting } from "./report-waiting.ts";

/** Returns the times that are reported for waiting runs. */
function told(...waits: { time: number; resetsAt?: number; remainingMs?: number }[]): number[] {
  const found: number[] = [];
  const tell = reportWaiting((progress) => progress.type === "waiting" && found.push(progress.until));
  for (const { remainingMs = 0, ...wait } of waits) {
    const event = { type: "limit.waiting", window: "five_hour", reason: "usage-limit", remainingMs, ...wait } as const;
    tell({ ...event, seq: 1, runId: "r" } satisfies RunEvent);
  }
  return found;
}

test("runs that wait for one window make one sentence, and a changed time makes another", () => {
  expect(
    told({ time: 0, resetsAt: 60_000 }, { time: 9, resetsAt: 60_900 }, { time: 30_000, resetsAt: 60_000 }),
  ).toEqual([60_000]);
  expect(told({ time: 0, resetsAt: 60_000 }, { time: 61_000, resetsAt: 90_000 })).toEqual([60_000, 90_000]);
  expect(told({ time: 0, remainingMs: 60_000 }, { time: 30_000, remainingMs: 30_000 })).toEqual([60_000]);
});

test("two windows, such as those of an agent and its judge, make one sentence each", () => {
  const agent = { resetsAt: 60_000 };
  const judge = { resetsAt: 90_000 };
  expect(
    told({ time: 0, ...agent }, { time: 1, ...judge }, { time: 10_000, ...agent }, { time: 10_001, ...judge }),
  ).toEqual([60_000, 90_000]);
});
