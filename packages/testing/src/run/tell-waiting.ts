import type { RunEvent } from "@bridle/protocol";
import type { TestProgress } from "./test-progress.ts";

/** Times of two runs that wait for the same window may differ by so many milliseconds. */
const sameMs = 2000;

/** Makes of the events of many runs that wait one sentence for each window, and of a time that moved another. */
export function tellWaiting(tell: (progress: TestProgress) => void): (event: RunEvent) => void {
  const told: number[] = [];
  return (event) => {
    if (event.type !== "limit.waiting") return;
    const until = event.resetsAt ?? event.time + event.remainingMs;
    if (told.some((each) => Math.abs(until - each) < sameMs)) return;
    told.push(until);
    const when = event.resetsAt === undefined ? "is asked for again" : "opens again";
    const message = `The usage window ${event.window} is used up. Trials wait until it ${when}, at ${new Date(until).toISOString()}.`;
    tell({ type: "waiting", until, message });
  };
}
