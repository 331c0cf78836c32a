import { randomInt } from "node:crypto";

/** The pattern of an id. The id is also the name of the file in the folder, without `.jsonl`. */
export const testRunIdPattern = /^\d{8}-\d{6}-[0-9a-z]{4}$/;

/**
 * Creates an id from the time in UTC to the second, and four characters: the milliseconds in base 36, and two random characters. Ids sort
 * by time, even within a second.
 *
 * @example newTestRunId(Date.UTC(2026, 10, 22, 7, 15, 1, 700)) // "20261122-071501-jgf9"
 */
export function newTestRunId(now: number): string {
  const [date = "", time = ""] = new Date(now).toISOString().split("T");
  const chance = randomInt(36 ** 2);
  return `${date.replaceAll("-", "")}-${time.slice(0, 8).replaceAll(":", "")}-${base36(now % 1000)}${base36(chance)}`;
}

function base36(value: number): string {
  return value.toString(36).padStart(2, "0");
}
