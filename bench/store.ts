import { join } from "node:path";
import { appendEvents } from "@bridle/conformance";
import { createMemoryEventLog } from "@bridle/core";
import { type EventDraft, type EventLog, noUsage } from "@bridle/protocol";
import { openStore } from "@bridle/store-sqlite";
import { measureInTurns } from "./statistics.ts";
import { printTable } from "./table.ts";

const delta: EventDraft = { type: "text.delta", text: "word " };
const notice: EventDraft = { type: "notice", level: "info", code: "bench", message: "Something happened." };

const result = { stopReason: "natural", text: "", steps: 0, toolCalls: 0, toolFailures: 0, usage: noUsage } as const;
const finished: EventDraft = { type: "run.finished", result, durationMs: 1 };

const burst = 20_000;
const single = 1000;
const many = 1_000_000;

/** Measures the cost of appending an event, its growth with the length of the session, and the time to open a long session. */
export async function benchStore(rounds: number, folder: string): Promise<void> {
  const place = { folder: join(folder, "record") };
  const store = openStore(place);
  const memory = createMemoryEventLog();
  const deltas = await measureInTurns(rounds, {
    "in memory": async () => perEvent(memory, delta, burst, "memory"),
    "on disk": async () => perEvent(store, delta, burst, "disk"),
  });
  const perSecond = (1_000_000 / Math.min(...(deltas[1]?.values ?? []))).toFixed(0);
  printTable(`Cost of one streamed piece of text, of ${burst.toLocaleString("en")} into one session`, deltas, {
    unit: "µs",
    target: `50 µs, which is 20,000 a second; the best round had ${Number(perSecond).toLocaleString("en")}`,
  });

  console.log(`\nWriting a session of ${many.toLocaleString("en")} events …`);
  await perEvent(store, delta, many, "long");
  let empty = 0;
  const appends = await measureInTurns(rounds, {
    "to an empty session": async () => perEvent(store, notice, single, `empty ${empty++}`),
    [`to one of ${many.toLocaleString("en")} events`]: async () => perEvent(store, notice, single, "long"),
  });
  printTable("Cost of one event that is no text", appends, {
    unit: "µs",
    target: "a ratio of 1.20 at most",
  });
  await appendEvents(store, { runId: "run of long", sessionId: "long" }, finished);
  store.close();

  const opening = await measureInTurns(rounds, {
    "opening the event log and the newest 20 events": async () => opened(place, 20),
    "the same, and 1,000 events": async () => opened(place, 1000),
  });
  printTable(`Opening a session of ${many.toLocaleString("en")} events`, opening, { target: "under 100 ms" });
}

/** Returns the microseconds per event until all events are on disk. */
async function perEvent(record: EventLog, draft: EventDraft, count: number, sessionId: string): Promise<number> {
  const started = performance.now();
  const writer = await record.openWriter({ sessionId });
  for (let index = 0; index < count; index += 1) writer.append(`run of ${sessionId}`, draft);
  await record.read({ sessionId, last: 1 }); // reading first writes the events that are only in memory
  await writer.close();
  return ((performance.now() - started) * 1000) / count;
}

/** Returns the milliseconds until the newest events of the long session are read. */
async function opened(place: { folder: string }, last: number): Promise<number> {
  const started = performance.now();
  const store = openStore(place);
  await store.read({ sessionId: "long", last });
  const ms = performance.now() - started;
  store.close();
  return ms;
}
