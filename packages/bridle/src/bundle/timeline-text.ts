import type { RunEvent } from "@bridle/protocol";
import { seconds, short } from "./story-words.ts";

/** Every event but pieces of text, one a line, with the time since the run before it began. */
export function timelineText(events: readonly RunEvent[]): string {
  let startedAt = events[0]?.time ?? 0;
  const lines = events.flatMap((event) => {
    if (event.type === "run.started") startedAt = event.time;
    if (event.type.endsWith(".delta")) return [];
    const { type, seq, time, runId: _runId, sessionId: _sessionId, ...fields } = event;
    return [
      `${String(seq).padStart(6)}  ${seconds(time - startedAt).padStart(12)}  ${type}  ${short(JSON.stringify(fields), 300)}`,
    ];
  });
  return lines.map((line) => `${line}\n`).join("");
}
