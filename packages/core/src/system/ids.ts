import { randomBytes } from "node:crypto";

/** Creates a session id: `ses_` and 20 characters, as in a run id. */
export function newSessionId(now: number = Date.now()): string {
  return newRunId(now).replace("run_", "ses_");
}

/** Creates a run id: `run_` and 20 characters that sort by time. The first 10 are the milliseconds in base 36, the others are random. */
export function newRunId(now: number = Date.now()): string {
  const time = now.toString(36).padStart(10, "0");
  return `run_${time}${randomBytes(5).toString("hex")}`;
}
