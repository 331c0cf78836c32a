import type { RunEvent } from "@bridle/protocol";
import { expect, test } from "vitest";
import type { SessionEntry } from "../../connection/session-entries.ts";
import { readEntryEvents } from "./read-entry-events.ts";

/** A call with 600 events of another call after its request. In the next run, the same id occurs again. */
const log = Array.from({ length: 2000 }, (_, index) => {
  const seq = index + 1;
  const callId = [10, 300, 611, 700].includes(seq) ? "call" : "other";
  const type = seq === 10 ? "tool.requested" : seq === 611 ? "tool.finished" : "tool.progress";
  return { type, seq, runId: seq <= 650 ? "first" : "second", callId } as RunEvent;
});

class ReadLog {
  pages = 0;

  readonly events = async (_session: string, { after = 0, limit = 200 }: { after?: number; limit?: number } = {}) => {
    this.pages += 1;
    return { events: log.slice(after, after + limit), lastSeq: log.length };
  };
}

const call = (endSeq?: number) =>
  ({ kind: "tool", callId: "call", runId: "first", seq: 10, ...(endSeq && { endSeq }) }) as SessionEntry;

test("all events of a call are found, however many of others are between them", async () => {
  const events = await readEntryEvents(new ReadLog(), "s", call(611));
  expect(events.map(({ seq }) => seq)).toEqual([10, 300, 611]);
});

test("the events of a call that never ended are looked for until the next run begins", async () => {
  const client = new ReadLog();
  expect((await readEntryEvents(client, "s", call())).map(({ seq }) => seq)).toEqual([10, 300, 611]);
  expect(client.pages).toBe(4);
});

test("all that is not a call has the one event that says it", async () => {
  const text = { kind: "text", runId: "first", seq: 300, text: "…", complete: true, step: 1, time: 0 } as const;
  const client = new ReadLog();
  expect((await readEntryEvents(client, "s", text)).map(({ seq }) => seq)).toEqual([300]);
  expect(client.pages).toBe(1);
});
