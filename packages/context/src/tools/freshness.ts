import type { ConnectionFacts } from "../facts/facts.ts";

const minute = 60_000;

/** Formats the age of facts, such as `3 hours ago`. */
function formatAge(scannedAt: string, now: Date): string {
  const age = Math.max(0, now.getTime() - Date.parse(scannedAt));
  if (age < 2 * minute) return "just now";
  if (age < 120 * minute) return `${Math.round(age / minute)} minutes ago`;
  if (age < 48 * 60 * minute) return `${Math.round(age / minute / 60)} hours ago`;
  return `${Math.round(age / minute / 60 / 24)} days ago`;
}

/** Describes each connection in one sentence: the age of its last scan, and whether a newer scan is unfinished. */
export function describeFreshness(connections: readonly ConnectionFacts[], now: Date): string {
  return connections
    .map(({ name, scannedAt, unfinished }) => {
      if (scannedAt === undefined) return `The connection ${name} was not scanned yet, so nothing is known about it.`;
      const rest = unfinished ? ", and a newer scan is not finished" : "";
      return `The connection ${name} was scanned ${formatAge(scannedAt, now)}${rest}.`;
    })
    .join(" ");
}
