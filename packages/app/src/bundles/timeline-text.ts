import type { RunEvent } from "@bridle/protocol";
import { formatOffset, short } from "./run-words.ts";

/** All events without pieces of text, one on each line, with the time since the start of the run. */
export function formatTimeline(events: readonly RunEvent[]): string {
  let startedAt = events[0]?.time ?? 0;
  const lines = events.flatMap((event) => {
    if (event.type === "run.started") startedAt = event.time;
    if (event.type.endsWith(".delta")) return [];
    const { type, seq, time, runId: _runId, sessionId: _sessionId, ...fields } = event;
    return [
      `${String(seq).padStart(6)}  ${formatOffset(time - startedAt).padStart(12)}  ${type}  ${short(JSON.stringify(fields), 300)}`,
    ];
  });
  return lines.map((line) => `${line}\n`).join("");
}
