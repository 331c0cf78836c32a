/** Writes sessions of any length without a model, and uses them in typical ways. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { streamEvents } from "@bridle/app/events";
import { listSessions, viewSession } from "@bridle/app/sessions";
import { createMemoryBackend } from "@bridle/conformance";
import { createAgentRuntime } from "@bridle/core";
import {
  buildHistory,
  buildTranscript,
  type EventDraft,
  type EventLog,
  noUsage,
  type RunEvent,
} from "@bridle/protocol";
import { openStore } from "@bridle/store-sqlite";

/** An event log of any type. */
export interface OpenEventLog extends EventLog {
  close(): Promise<void>;
}

const result = { stopReason: "natural", text: "", steps: 1, toolCalls: 1, toolFailures: 0, usage: noUsage } as const;

/** Returns the events of one turn with one call. */
export function draftsOf(turn: number): EventDraft[] {
  const callId = `call_${turn}`;
  return [
    {
      type: "run.started",
      operation: "loop",
      backend: "memory",
      model: "m",
      tools: ["t"],
      builtins: [],
      stepBudget: 9,
      policy: "p",
    },
    {
      type: "model.input",
      turn: 1,
      sha256: "h",
      artifact: "h",
      implicitSources: [],
      hostAdds: [],
      messages: [{ role: "user", content: [{ type: "text", text: `Question ${turn}?` }] }],
    },
    { type: "step.started", index: 1, model: "m" },
    { type: "tool.requested", callId, tool: "t", input: { turn }, inputHash: "h" },
    { type: "tool.started", callId },
    { type: "tool.finished", callId, ok: true, durationMs: 1, output: `Result ${turn}` },
    { type: "text.completed", text: `Answer ${turn}.` },
    { type: "step.finished", index: 1, budget: 9, usage: noUsage },
    { type: "run.finished", result, durationMs: 5 },
  ];
}

const compaction: EventDraft = {
  type: "history.replaced",
  reason: "compacted",
  messages: [{ role: "user", content: [{ type: "text", text: "A summary of what was said." }] }],
};

/** Writes a session of this many turns, which compaction shortens after every `compactEvery` turns. */
export async function writeTurns(
  eventLog: EventLog,
  sessionId: string,
  turns: number,
  compactEvery = Number.POSITIVE_INFINITY,
): Promise<void> {
  const writer = await eventLog.openWriter({ sessionId });
  for (let turn = 1; turn <= turns; turn++) {
    const [started, ...rest] = draftsOf(turn);
    const drafts = turn % compactEvery === 0 ? [started, compaction, ...rest] : [started, ...rest];
    for (const draft of drafts) if (draft) writer.append(`run_${sessionId}_${turn}`, draft);
    if (turn % 500 === 0) await writer.durable();
  }
  await writer.close();
}

/** Returns the events of one run with this many calls, in memory. */
export function eventsOfCalls(calls: number): RunEvent[] {
  const drafts = Array.from({ length: calls }, (_, call) => draftsOf(call).slice(2, 8)).flat();
  return drafts.map((draft, index) => ({ ...draft, seq: index + 1, time: index, runId: "run" }));
}

/** Builds the transcript and the history of a run. */
export function readCalls(events: readonly RunEvent[]): void {
  buildTranscript(events);
  buildHistory(events);
}

/** Lists sessions, newest first. */
export async function list(eventLog: EventLog, last?: number): Promise<void> {
  const { sessions } = await listSessions(eventLog, { last });
  if (sessions.length === 0) throw new Error("There are no sessions.");
}

/** Reads what `sessions show` reads. */
export async function show(eventLog: EventLog, sessionId: string): Promise<void> {
  await viewSession(eventLog, sessionId);
}

/** Reads all events of a session, page by page. */
export async function readEvents(eventLog: EventLog, sessionId: string): Promise<void> {
  let count = 0;
  for await (const { seq } of streamEvents(eventLog, { sessionId })) count = seq;
  if (count === 0) throw new Error("The session has no events.");
}

/** Sends one prompt into a session. */
export async function continueSession(eventLog: EventLog, sessionId: string, prompt: string): Promise<void> {
  const backend = createMemoryBackend([{ steps: [{ say: "Well." }] }]);
  const runtime = createAgentRuntime({ backend, models: { default: "m" }, eventLog });
  const session = await runtime.openSession({ id: sessionId, tools: [], stepBudget: 2 });
  await (await session.send(prompt)).result;
  await runtime.close();
}

/** Returns the size in bytes of an event log on disk after this many real turns of about 8 kB. */
export async function bytesOfTurns(folder: string, turns: number): Promise<number> {
  const store = openStore({ folder });
  const backend = createMemoryBackend([{ steps: [{ say: "Well. ".repeat(660) }] }]);
  const runtime = createAgentRuntime({ backend, models: { default: "m" }, eventLog: store });
  const session = await runtime.openSession({ id: "long", tools: [], stepBudget: 2, compaction: "none" });
  for (let turn = 1; turn <= turns; turn++) await (await session.send(`${turn} `.repeat(1000))).result;
  await runtime.close();
  await store.close();
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files.reduce((bytes, name) => bytes + statSync(join(folder, name)).size, 0);
}
