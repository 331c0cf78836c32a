import { testEventLog } from "@bridle/conformance";
import { type EventDraft, type EventLog, noUsage } from "@bridle/protocol";
import { expect, test } from "vitest";
import { createMemoryEventLog } from "./memory-event-log.ts";

testEventLog("the event log in memory", { open: createMemoryEventLog });

const delta: EventDraft = { type: "text.delta", text: "x" };
const result = { stopReason: "natural", text: "", steps: 0, toolCalls: 0, toolFailures: 0, usage: noUsage } as const;
const finished: EventDraft = { type: "run.finished", result, durationMs: 1 };

test("the newest ended runs are kept, older ones are forgotten, and runs of a session are never forgotten", () => {
  const record = createMemoryEventLog({ maxRuns: 2 });
  writeRun(record, "spoken", "s");
  for (const runId of ["a", "b", "c"]) writeRun(record, runId);
  expect(["a", "b", "c", "spoken"].map((runId) => record.events({ runId }).length)).toEqual([0, 2, 2, 2]);
  expect(record.runs().map(({ runId }) => runId)).toEqual(["c", "b", "spoken"]);
});

test("a run in progress is never forgotten, however many other runs end", () => {
  const record = createMemoryEventLog({ maxRuns: 1 });
  record.append({ runId: "long" }, delta);
  for (let run = 0; run < 50; run++) writeRun(record, `run ${run}`);
  expect(record.append({ runId: "long" }, delta).seq).toBe(2);
});

test("the oldest artifacts are removed when their total size is too large, the newest never", () => {
  const record = createMemoryEventLog({ maxArtifactChars: 10 });
  const [a, b, c] = ["aaaa", "bbbb", "cccc"].map(record.putArtifact);
  expect([a, b, c].map((id) => record.artifact(id ?? ""))).toEqual([undefined, "bbbb", "cccc"]);
  const long = record.putArtifact("l".repeat(99));
  expect([b, c, long].map((id) => record.artifact(id ?? "")?.length)).toEqual([undefined, undefined, 99]);
});

function writeRun(record: EventLog, runId: string, sessionId?: string): void {
  const place = { runId, ...(sessionId === undefined ? {} : { sessionId }) };
  record.append(place, delta);
  record.append(place, finished);
}
