import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type EventDraft, type RunEvent, runEventSchema } from "../events/events.ts";
import { noUsage } from "../usage/usage.ts";
import { PlacedTranscript } from "./placed-transcript.ts";
import { emptyTranscript } from "./transcript.ts";
import { buildTranscript, reduceTranscript, TranscriptBuilder } from "./transcript-builder.ts";

const callId = fc.constantFrom("1", "2", "3");
const said = fc.string({ maxLength: 5 });
const result = { stopReason: "natural", text: "", steps: 0, toolCalls: 0, toolFailures: 0, usage: noUsage } as const;
const draft: fc.Arbitrary<EventDraft> = fc.oneof(
  said.map((text): EventDraft => ({ type: "text.delta", text })),
  said.map((text): EventDraft => ({ type: "text.completed", text })),
  said.map((text): EventDraft => ({ type: "reasoning.delta", text })),
  said.map((text): EventDraft => ({ type: "reasoning.completed", text })),
  callId.map((id): EventDraft => ({ type: "tool.requested", callId: id, tool: "t", input: { id }, inputHash: "0" })),
  callId.map((id): EventDraft => ({ type: "tool.started", callId: id })),
  callId.map((id): EventDraft => ({ type: "tool.progress", callId: id, message: "half" })),
  callId.map((id): EventDraft => ({ type: "tool.denied", callId: id, output: "no" })),
  callId.map((id): EventDraft => ({ type: "tool.finished", callId: id, ok: true, durationMs: 1, output: "yes" })),
  fc.constant<EventDraft>({ type: "step.started", index: 1 }),
  fc.constant<EventDraft>({ type: "step.finished", index: 1, budget: 5, usage: noUsage }),
  fc.constant<EventDraft>({ type: "retry.scheduled", attempt: 1, maxAttempts: 3, delayMs: 0, reason: "cut" }),
  fc.constant<EventDraft>({ type: "run.finished", result, durationMs: 1 }),
  said.map(
    (output): EventDraft => ({
      type: "history.replaced",
      reason: "edited",
      messages: [{ role: "user", content: [{ type: "tool-result", callId: "1", output, isError: false }] }],
    }),
  ),
  said.map((text): EventDraft => ({ ...input, messages: [{ role: "user", content: text }] })),
);
const input = {
  type: "model.input",
  turn: 1,
  sha256: "0",
  artifact: "0",
  implicitSources: [],
  hostAdds: [],
} as const;

describe("a transcript", () => {
  test("is the same from live or replayed events, one by one or all at once", () => {
    fc.assert(
      fc.property(fc.array(draft, { maxLength: 40 }), (drafts) => {
        const events = placed(drafts);
        let live = emptyTranscript;
        for (const event of events) live = reduceTranscript(live, Object.freeze(event));
        expect(buildTranscript(events)).toEqual(live);
        const replayed = events.map((event) => runEventSchema.parse(JSON.parse(JSON.stringify(event))));
        expect(buildTranscript(replayed)).toEqual(live);
      }),
    );
  });

  test("with places has the same entries, and continues from any event as if it had seen all", () => {
    fc.assert(
      fc.property(fc.array(draft, { maxLength: 40 }), fc.nat(40), (drafts, cut) => {
        const events = placed(drafts);
        const whole = new PlacedTranscript();
        for (const event of events) whole.add(event);
        expect(whole.entries()).toMatchObject(buildTranscript(events));
        const first = new PlacedTranscript();
        for (const event of events.slice(0, cut)) first.add(event);
        const continued = new PlacedTranscript(JSON.parse(JSON.stringify(first.entries())));
        for (const event of events) continued.add(event); // events that were already added have no effect
        expect(continued.entries()).toEqual(whole.entries());
      }),
    );
  });

  test("knows which responses were requested again, and why", () => {
    const retry: EventDraft = { type: "retry.scheduled", attempt: 2, maxAttempts: 5, delayMs: 0, reason: "overloaded" };
    const transcript = new PlacedTranscript();
    const events = placed([retry, { type: "step.started", index: 1 }, { type: "text.delta", text: "void" }, retry]);
    for (const event of events) transcript.add(event);
    const { retries, entries } = transcript.entries();
    expect(entries).toEqual([]);
    expect(retries).toMatchObject([{ seq: events[3]?.seq, step: 1, reason: "overloaded", attempt: 2, maxAttempts: 5 }]);
  });

  test("with its places is the same, however often it is read, and keeps the entries that do not change", () => {
    fc.assert(
      fc.property(fc.array(draft, { maxLength: 30 }), (drafts) => {
        const read = new PlacedTranscript();
        let before = read.entries();
        for (const [index, event] of placed(drafts).entries()) {
          read.add(event);
          const now = read.entries();
          const fresh = new PlacedTranscript();
          for (const each of placed(drafts.slice(0, index + 1))) fresh.add(each);
          expect(now).toEqual(fresh.entries());
          const gone = before.entries.filter((entry) => !now.entries.includes(entry));
          if (event.type !== "retry.scheduled") expect(gone.length).toBeLessThanOrEqual(1); // only the changed entry is a new object
          before = now;
        }
      }),
    );
  });

  test("never changes an earlier one", () => {
    fc.assert(
      fc.property(fc.array(draft, { maxLength: 20 }), draft, (drafts, next) => {
        const before = buildTranscript(placed(drafts));
        const copy = structuredClone(before);
        for (const event of placed([next])) reduceTranscript(before, event);
        expect(before).toEqual(copy);
      }),
    );
  });

  test("replaces streamed text by the completed text, even with reasoning in between", () => {
    const { entries } = buildTranscript(
      placed([
        { type: "text.delta", text: "Hel" },
        { type: "reasoning.delta", text: "hm" },
        { type: "text.completed", text: "Hello." },
        { type: "reasoning.completed", text: "Hm." },
        { type: "text.delta", text: "And" },
      ]),
    );
    expect(entries).toEqual([
      { kind: "text", text: "Hello.", complete: true, step: 0 },
      { kind: "reasoning", text: "Hm.", complete: true, step: 0 },
      { kind: "text", text: "And", complete: false, step: 0 },
    ]);
  });

  test("drops the partial text of a response that is requested again, and keeps earlier responses", () => {
    const retry: EventDraft = { type: "retry.scheduled", attempt: 1, maxAttempts: 3, delayMs: 0, reason: "cut" };
    const started = (index: number): EventDraft => ({ type: "step.started", index });
    const { entries, steps } = buildTranscript(
      placed([
        started(1),
        { type: "text.completed", text: "First." },
        { type: "step.finished", index: 1, budget: 5, usage: noUsage },
        retry,
        started(2),
        { type: "reasoning.completed", text: "Hm." },
        { type: "text.delta", text: "Half of an" },
        retry,
        { type: "text.delta", text: "The ans" },
      ]),
    );
    expect(steps).toBe(2);
    expect(entries).toEqual([
      { kind: "text", text: "First.", complete: true, step: 1 },
      { kind: "text", text: "The ans", complete: false, step: 2 },
    ]);
  });

  test("keeps text that was cut off before a tool call", () => {
    const { entries } = buildTranscript(
      placed([
        { type: "text.delta", text: "cut o" },
        { type: "tool.requested", callId: "1", tool: "t", input: {}, inputHash: "0" },
        { type: "text.completed", text: "Later." },
      ]),
    );
    expect(entries.map((entry) => (entry.kind === "text" ? entry.text : entry.kind))).toEqual([
      "cut o",
      "tool",
      "Later.",
    ]);
  });

  test("a transcript does not change when a call reports more progress", () => {
    const requested: EventDraft = { type: "tool.requested", callId: "1", tool: "t", input: {}, inputHash: "0" };
    const reports = ["a", "b", "c"].map((message): EventDraft => ({ type: "tool.progress", callId: "1", message }));
    const builder = new TranscriptBuilder();
    const seen = placed([requested, ...reports]).map((event) => {
      builder.add(event);
      return event.seq === 3 ? undefined : builder.transcript().entries[0];
    });
    const progress = seen.flatMap((entry) => (entry?.kind === "tool" ? [entry.progress] : []));
    expect(progress).toEqual([[], ["a"], ["a", "b", "c"]]);
  });

  test("follows a call through its states", () => {
    const requested: EventDraft = { type: "tool.requested", callId: "1", tool: "t", input: {}, inputHash: "0" };
    const started: EventDraft = { type: "tool.started", callId: "1" };
    const finished: EventDraft = { type: "tool.finished", callId: "1", ok: false, durationMs: 5, output: "broken" };
    const states = [[requested], [requested, started], [requested, started, finished]].map(
      (drafts) => buildTranscript(placed(drafts)).entries[0],
    );
    expect(states).toMatchObject([{ state: "requested" }, { state: "running" }, { state: "failed", output: "broken" }]);
  });
});

function placed(drafts: readonly EventDraft[]): RunEvent[] {
  return drafts.map((each, index) => ({ ...each, seq: index + 1, time: 0, runId: "run_1" }));
}
