import type { RunEvent } from "@bridle/protocol";
import type { TestProgress } from "../result/test-progress.ts";

/** By how many milliseconds two runs that wait for the same window may differ. */
const sameMs = 2000;

/** Reports one sentence for each window that runs wait for, and another if the window's time changes. */
export function reportWaiting(report: (progress: TestProgress) => void): (event: RunEvent) => void {
  const told: number[] = [];
  return (event) => {
    if (event.type !== "limit.waiting") return;
    const until = event.resetsAt ?? event.time + event.remainingMs;
    if (told.some((each) => Math.abs(until - each) < sameMs)) return;
    told.push(until);
    const when = event.resetsAt === undefined ? "is checked again" : "opens again";
    const message = `The usage window ${event.window} is used up. Trials wait until it ${when}, at ${new Date(until).toISOString()}.`;
    report({ type: "waiting", until, message });
  };
}
