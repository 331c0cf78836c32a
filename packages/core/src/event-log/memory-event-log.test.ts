import { appendEvents, storeArtifacts, testEventLog } from "@bridle/conformance";
import { type EventDraft, type EventLog, noUsage } from "@bridle/protocol";
import { expect, test } from "vitest";
import { createMemoryEventLog } from "./memory-event-log.ts";

testEventLog("the event log in memory", { open: createMemoryEventLog });

const delta: EventDraft = { type: "text.delta", text: "x" };
const result = { stopReason: "natural", text: "", steps: 0, toolCalls: 0, toolFailures: 0, usage: noUsage } as const;
const finished: EventDraft = { type: "run.finished", result, durationMs: 1 };

test("the newest ended runs are kept, older ones are forgotten, and runs of a session are never forgotten", async () => {
  const record = createMemoryEventLog({ maxRuns: 2 });
  await writeRun(record, "spoken", "s");
  for (const runId of ["a", "b", "c"]) await writeRun(record, runId);
  const lengths = ["a", "b", "c", "spoken"].map(async (runId) => (await record.read({ runId })).length);
  expect(await Promise.all(lengths)).toEqual([0, 2, 2, 2]);
  expect((await record.runs()).map(({ runId }) => runId)).toEqual(["c", "b", "spoken"]);
});

test("a run in progress is never forgotten, however many other runs end", async () => {
  const record = createMemoryEventLog({ maxRuns: 1 });
  await appendEvents(record, { runId: "long" }, delta);
  for (let run = 0; run < 50; run++) await writeRun(record, `run ${run}`);
  expect((await appendEvents(record, { runId: "long" }, delta))[0]?.seq).toBe(2);
});

test("the oldest artifacts are removed when their total size is too large, the newest never", async () => {
  const record = createMemoryEventLog({ maxArtifactChars: 10 });
  const read = (ids: readonly string[]) => Promise.all(ids.map(record.artifact));
  const [a = "", b = "", c = ""] = await storeArtifacts(record, { runId: "a" }, "aaaa", "bbbb", "cccc");
  expect(await read([a, b, c])).toEqual([undefined, "bbbb", "cccc"]);
  const [long = ""] = await storeArtifacts(record, { runId: "a" }, "l".repeat(99));
  expect((await read([b, c, long])).map((content) => content?.length)).toEqual([undefined, undefined, 99]);
});

test("the error of a closed writer names its stream and the remedy", async () => {
  const writer = await createMemoryEventLog().openWriter({ sessionId: "s" });
  await writer.close();
  expect(() => writer.append("a", delta)).toThrow(
    /^The writer of the session s is closed\. Open another one with openWriter\(\)\.$/,
  );
});

async function writeRun(record: EventLog, runId: string, sessionId?: string): Promise<void> {
  const place = { runId, ...(sessionId === undefined ? {} : { sessionId }) };
  await appendEvents(record, place, delta, finished);
}
