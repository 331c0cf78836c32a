import { randomBytes } from "node:crypto";

/** Creates a session id: `ses_`, followed by what a run id has after its prefix. */
export function newSessionId(now: number = Date.now()): string {
  return newRunId(now).replace("run_", "ses_");
}

/** Creates a run id: `run_` and 20 characters that sort by time. The first 10 are the milliseconds in base 36, the others are random. */
export function newRunId(now: number = Date.now()): string {
  const time = now.toString(36).padStart(10, "0");
  return `run_${time}${randomBytes(5).toString("hex")}`;
}
