import { randomBytes } from "node:crypto";

/** `ses_`, followed by the part of a run id after its prefix. */
export function newSessionId(now: number = Date.now()): string {
  return newRunId(now).replace("run_", "ses_");
}

/** `run_` and 20 characters that sort by time: 10 of milliseconds in base 36, 10 random. */
export function newRunId(now: number = Date.now()): string {
  const time = now.toString(36).padStart(10, "0");
  return `run_${time}${randomBytes(5).toString("hex")}`;
}
