import { expect, test } from "vitest";
import type { EventDraft } from "./events.ts";
import { sha256 } from "./json.ts";
import { createMemoryRecord, type EventRecord } from "./record.ts";
import { noUsage } from "./usage.ts";

const delta: EventDraft = { type: "text.delta", text: "x" };
const result = { stopReason: "natural", text: "", steps: 0, toolCalls: 0, toolFailures: 0, usage: noUsage } as const;
const finished: EventDraft = { type: "run.finished", result, durationMs: 1 };

test("each run is numbered from 1 without a gap, whatever else is written", () => {
  const record = createMemoryRecord({ now: () => 7 });
  for (const runId of ["a", "b", "a", "b", "a"]) record.append(runId, delta);
  expect(record.events("a")).toEqual([1, 2, 3].map((seq) => ({ ...delta, seq, time: 7, runId: "a" })));
  expect(record.events("b").map(({ seq }) => seq)).toEqual([1, 2]);
  expect(record.events("c")).toEqual([]);
});

test("the newest ended runs are kept, the older are forgotten", () => {
  const record = createMemoryRecord({ maxRuns: 2 });
  for (const runId of ["a", "b", "c"]) writeRun(record, runId);
  expect(["a", "b", "c"].map((runId) => record.events(runId).length)).toEqual([0, 2, 2]);
});

test("a run in progress is never forgotten, however many end beside it", () => {
  const record = createMemoryRecord({ maxRuns: 1 });
  record.append("long", delta);
  for (let run = 0; run < 50; run++) writeRun(record, `run ${run}`);
  expect(record.append("long", delta).seq).toBe(2);
});

test("artifacts are found by the hash of their bytes", () => {
  const record = createMemoryRecord();
  const id = record.putArtifact("Grüße");
  expect(id).toBe(sha256(new TextEncoder().encode("Grüße")));
  expect(record.artifact(id)).toBe("Grüße");
  expect(record.putArtifact("Grüße")).toBe(id);
  expect(record.artifact("none")).toBeUndefined();
});

test("the oldest artifacts give way when their text grows too long, the newest never", () => {
  const record = createMemoryRecord({ maxArtifactChars: 10 });
  const [a, b, c] = ["aaaa", "bbbb", "cccc"].map(record.putArtifact);
  expect([a, b, c].map((id) => record.artifact(id ?? ""))).toEqual([undefined, "bbbb", "cccc"]);
  const long = record.putArtifact("l".repeat(99));
  expect([b, c, long].map((id) => record.artifact(id ?? "")?.length)).toEqual([undefined, undefined, 99]);
});

function writeRun(record: EventRecord, runId: string): void {
  record.append(runId, delta);
  record.append(runId, finished);
}
