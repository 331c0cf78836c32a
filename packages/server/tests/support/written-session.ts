import type { ProjectEventLog } from "@bridle/app/events";
import { type EventDraft, type EventWriter, noUsage } from "@bridle/protocol";

const started: EventDraft & { readonly type: "run.started" } = {
  type: "run.started",
  operation: "loop",
  backend: "memory",
  model: "m",
  tools: [],
  builtins: [],
  stepBudget: 1,
  policy: "none",
};

/** Texts that a faulty stream would cut or break: line ends, multi-byte characters, and the syntax of the format itself. */
const words = ["data: x\n\n", "é", "🙂", "\u2028", "id: 7\r\n", "plain ", '"quoted"', "\\"];

/** Opens a session for writing, and starts a run. `caller` is the run of another session that called this run. */
export async function beginSession(
  eventLog: ProjectEventLog,
  sessionId: string,
  caller?: { readonly parentRunId: string; readonly parentSessionId: string },
): Promise<EventWriter> {
  const writer = await eventLog.openWriter({ sessionId });
  writer.append(`run_of_${sessionId}`, { ...started, ...caller });
  return writer;
}

export function writeText(writer: EventWriter, sessionId: string, count: number): void {
  for (let index = 0; index < count; index += 1) {
    const text = `${index} ${words[index % words.length]}`.repeat(1 + (index % 7));
    writer.append(`run_of_${sessionId}`, { type: "text.delta", text });
  }
}

/** Writes a whole session with this many events after its first event. */
export async function writeSession(eventLog: ProjectEventLog, sessionId: string, count: number): Promise<void> {
  const writer = await beginSession(eventLog, sessionId);
  writeText(writer, sessionId, count);
  await writer.close();
}

/** Writes a session that can be removed, because its run has ended. The session has `count` text events, a start and an end. */
export async function writeEnded(eventLog: ProjectEventLog, sessionId: string, count: number): Promise<void> {
  const writer = await beginSession(eventLog, sessionId);
  writeText(writer, sessionId, count);
  const result = { stopReason: "natural", text: "", steps: 0, toolCalls: 0, toolFailures: 0, usage: noUsage } as const;
  writer.append(`run_of_${sessionId}`, { type: "run.finished", result, durationMs: 1 });
  await writer.close();
}
