import { appendEvents } from "@bridle/conformance";
import { buildTranscript, type EventDraft, emptyTranscript, noUsage, reduceTranscript } from "@bridle/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createMemoryEventLog } from "../event-log/memory-event-log.ts";
import { leaveOutDeltas, readWithoutDeltas, withoutDeltas } from "./without-deltas.ts";

const place = { runId: "r", sessionId: "s" };
const result = { stopReason: "natural", text: "", steps: 0, toolCalls: 0, toolFailures: 0, usage: noUsage } as const;
const drafts: readonly EventDraft[] = [
  { type: "step.started", index: 1 },
  { type: "step.finished", index: 1, budget: 9, usage: noUsage },
  { type: "run.finished", durationMs: 1, result },
  { type: "retry.scheduled", attempt: 1, maxAttempts: 2, delayMs: 0, reason: "again" },
  { type: "tool.requested", callId: "c", tool: "t", input: {}, inputHash: "" },
];
const delta = (text: string): EventDraft => ({ type: "text.delta", text });
const whole = (text: string): EventDraft => ({ type: "text.completed", text });

test("deltas of completed text are left out, deltas of a response that broke off are kept", async () => {
  const record = createMemoryEventLog();
  const [started, finished, ended] = drafts;
  const all = [started, delta("a"), delta("b"), whole("ab"), finished, started, delta("c"), ended, started, delta("d")];
  await appendEvents(record, place, ...all.filter((draft) => draft !== undefined));
  const read = await readWithoutDeltas(record, "s");
  expect(read.map(({ seq }) => seq)).toEqual([1, 4, 5, 6, 7, 8, 9, 10]);
});

test("parts of the event log, with any division, have the transcript of all events", async () => {
  const pieces = fc.array(fc.constantFrom("x", "yz"), { minLength: 1, maxLength: 3 });
  const spoken = pieces.map((texts) => [...texts.map(delta), whole(texts.join(""))]);
  const other = fc.constantFrom(...drafts.slice(3)).map((draft) => [draft]);
  const brokenOff = pieces.map((texts) => texts.map(delta));
  const response = fc
    .tuple(fc.array(fc.oneof(spoken, other), { maxLength: 4 }), fc.option(brokenOff, { nil: undefined }))
    .map(([inner, end]) => [drafts[0], ...inner.flat(), ...(end === undefined ? [drafts[1]] : [...end, drafts[2]])]);
  await fc.assert(
    fc.asyncProperty(
      fc.array(response, { maxLength: 6 }),
      fc.array(fc.nat(40), { maxLength: 4 }),
      async (responses, cuts) => {
        const record = createMemoryEventLog();
        let transcript = emptyTranscript;
        let read = 0;
        const readOn = async () => {
          for await (const event of withoutDeltas(record, "s", read + 1)) {
            transcript = reduceTranscript(transcript, event);
            read = event.seq;
          }
        };
        for (const [index, draft] of responses.flat().entries()) {
          if (draft) await appendEvents(record, place, draft);
          if (cuts.includes(index)) await readOn();
        }
        await readOn();
        const all = await record.read({ sessionId: "s" });
        expect(transcript).toEqual(buildTranscript(all));
        expect(buildTranscript(leaveOutDeltas(all))).toEqual(buildTranscript(all));
      },
    ),
    { numRuns: 500 },
  );
});
