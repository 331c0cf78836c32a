/** Messages about used-up usage windows. */
import { counted, UsageLimitError } from "@bridle/protocol";

/** Creates the error for a used-up window. `resetsAt` is when the window opens again, if that is known. */
export function createUsageLimitError(window: string, resetsAt: Date | undefined, now = Date.now()): UsageLimitError {
  const when = resetsAt === undefined ? "It is not known when it opens again." : `It ${opensAgain(resetsAt, now)}.`;
  return new UsageLimitError(
    `The usage window ${window} is used up. ${when} Wait, let runs wait with llm.limits.onUsageLimit: wait, or choose another account.`,
    { window, ...(resetsAt && { resetsAt }) },
  );
}

/** @example opensAgain(resetsAt) // "opens again in 2 hours and 5 minutes (22 Nov 2026, 16:30 local time)" */
export function opensAgain(resetsAt: Date, now = Date.now()): string {
  const ms = resetsAt.getTime() - now;
  const local = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" }).format(resetsAt);
  return `opens again ${ms > 0 ? `in ${inWords(ms)}` : "now"} (${local} local time)`;
}

const minuteMs = 60_000;
const units = [
  ["day", 24 * 60],
  ["hour", 60],
  ["minute", 1],
] as const;

/** Writes a duration in its two largest units, rounded up to whole minutes. */
function inWords(ms: number): string {
  const minutes = Math.ceil(ms / minuteMs);
  const first = units.findIndex(([, size]) => minutes >= size);
  const [large, small] = units.slice(first, first + 2);
  if (large === undefined) return counted(minutes, "minute");
  const rest = small === undefined ? 0 : Math.floor((minutes % large[1]) / small[1]);
  const whole = counted(Math.floor(minutes / large[1]), large[0]);
  return small === undefined || rest === 0 ? whole : `${whole} and ${counted(rest, small[0])}`;
}
