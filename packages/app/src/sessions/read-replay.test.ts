import { appendEvents } from "@bridle/conformance";
import { createMemoryEventLog } from "@bridle/core";
import { type EventDraft, noUsage, PlacedTranscript, type RunEvent } from "@bridle/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readReplay } from "./read-replay.ts";

const said = fc.string({ maxLength: 5 });
const callId = fc.constantFrom("1", "2");
const sent = { type: "model.input", turn: 1, sha256: "0", artifact: "0", implicitSources: [], hostAdds: [] } as const;
const result = { stopReason: "natural", text: "", steps: 0, toolCalls: 0, toolFailures: 0, usage: noUsage } as const;

/** Any event that can affect a transcript or the positions of a replay. */
const draft: fc.Arbitrary<EventDraft> = fc.oneof(
  said.map((text): EventDraft => ({ type: "text.delta", text })),
  said.map((text): EventDraft => ({ type: "text.completed", text })),
  said.map((text): EventDraft => ({ type: "reasoning.delta", text })),
  said.map((text): EventDraft => ({ type: "reasoning.completed", text })),
  said.map((text): EventDraft => ({ ...sent, messages: [{ role: "user", content: text }] })),
  callId.map((id): EventDraft => ({ type: "tool.requested", callId: id, tool: "t", input: { id }, inputHash: "0" })),
  callId.map((id): EventDraft => ({ type: "tool.evaluated", callId: id, decision: "ask", rule: "rules[0]" })),
  callId.map((id): EventDraft => ({ type: "tool.started", callId: id })),
  callId.map((id): EventDraft => ({ type: "tool.progress", callId: id, message: "half" })),
  callId.map((id): EventDraft => ({ type: "tool.denied", callId: id, output: "no" })),
  callId.map((id): EventDraft => ({ type: "tool.finished", callId: id, ok: true, durationMs: 1, output: "yes" })),
  fc.nat(9).map((index): EventDraft => ({ type: "step.started", index: index + 1 })),
  fc.constant<EventDraft>({ type: "step.finished", index: 1, budget: 5, usage: noUsage }),
  fc.constant<EventDraft>({ type: "retry.scheduled", attempt: 1, maxAttempts: 3, delayMs: 0, reason: "cut" }),
  fc.constant<EventDraft>({ type: "run.finished", result, durationMs: 1 }),
);

function fold(events: readonly RunEvent[]) {
  const transcript = new PlacedTranscript();
  for (const event of events) transcript.add(event);
  return transcript.entries();
}

test("a replay at an event is the fold of the events of its run up to there, and continues from there", async () => {
  const drafts = fc.array(draft, { minLength: 1, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(drafts, drafts, fc.nat(70), fc.nat(70), async (before, own, first, second) => {
      const eventLog = createMemoryEventLog();
      await appendEvents(eventLog, { runId: "earlier", sessionId: "s" }, ...before);
      await appendEvents(eventLog, { runId: "run", sessionId: "s" }, ...own);
      const events = await eventLog.read({ runId: "run" });
      const at = Math.max(before.length + 1, Math.min(first, before.length + own.length));
      const replay = await readReplay(eventLog, "run", first);
      expect(replay.at).toBe(at);
      expect(replay.transcript).toEqual(fold(events.filter(({ seq }) => seq <= at)));

      const later = await readReplay(eventLog, "run", at + second);
      const continued = new PlacedTranscript(JSON.parse(JSON.stringify(replay.transcript))); // as a client receives it
      for (const event of events.filter(({ seq }) => seq <= later.at)) continued.add(event);
      expect(continued.entries()).toEqual(later.transcript);

      const { transcript } = replay;
      const end = await readReplay(eventLog, "run", first, second);
      expect(end.earlier).toBe(Math.max(0, transcript.entries.length - second));
      expect(end).toEqual({
        ...replay,
        ...end,
        transcript: { ...transcript, entries: transcript.entries.slice(end.earlier) },
      });

      const whole = await readReplay(eventLog, "run");
      expect({ ...whole, at, transcript: replay.transcript }).toEqual(replay); // its positions are those of the whole run
    }),
  );
});
