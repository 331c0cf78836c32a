import { createRedactor, sha256 } from "@bridle/core";
import {
  AuthenticationError,
  buildTranscript,
  type EventDraft,
  noUsage,
  type RunEvent,
  type RunResult,
  type RunScope,
} from "@bridle/protocol";
import { describe, expect, test } from "vitest";
import { testApprovalStore } from "./approval-store-laws.ts";
import type { EventLogHarness } from "./event-log-harness.ts";

/**
 * Declares what holds of every record, as tests.
 *
 * @example testEventLog("the record in memory", { open: createMemoryEventLog });
 */
export function testEventLog(name: string, { open }: EventLogHarness): void {
  describe(name, () => {
    test("numbers each run from 1 without a gap, whatever else is written", () => {
      const record = open({ now: () => 7 });
      for (const runId of ["a", "b", "a", "b", "a"]) record.append({ runId }, delta);
      expect(record.events({ runId: "a" })).toEqual([1, 2, 3].map((seq) => ({ ...delta, seq, time: 7, runId: "a" })));
      expect(record.events({ runId: "b" }).map(({ seq }) => seq)).toEqual([1, 2]);
      expect(record.events({ runId: "c" })).toEqual([]);
      expect(record.events({ sessionId: "a" })).toEqual([]);
    });

    test("numbers the runs of a session as one, and tells them apart", () => {
      const record = open({});
      const first = [begun, delta, finished].map((draft) => record.append({ runId: "a", sessionId: "s" }, draft));
      const second = [begun, finished].map((draft) => record.append({ runId: "b", sessionId: "s" }, draft));
      expect([...first, ...second].map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
      expect(record.events({ sessionId: "s" })).toEqual([...first, ...second]);
      expect(record.events({ runId: "a" })).toEqual(first);
      expect(record.events({ runId: "b" })).toEqual(second);
    });

    test("keeps a run and a session of the same name apart", () => {
      const record = open({});
      record.append({ runId: "x" }, delta);
      record.append({ runId: "y", sessionId: "x" }, delta);
      expect(record.events({ runId: "x" })).toMatchObject([{ seq: 1, runId: "x" }]);
      expect(record.events({ sessionId: "x" })).toMatchObject([{ seq: 1, runId: "y", sessionId: "x" }]);
    });

    test("reads by range and by tail, of a session and of a run in it", () => {
      const record = open({});
      for (const runId of ["a", "b", "c"]) {
        for (const draft of [begun, delta, delta, finished]) record.append({ runId, sessionId: "s" }, draft);
      }
      const seqs = (query: object) => record.events({ sessionId: "s", ...query }).map(({ seq }) => seq);
      expect(seqs({ from: 11 })).toEqual([11, 12]);
      expect(seqs({ from: 4, limit: 3 })).toEqual([4, 5, 6]);
      expect(seqs({ last: 2 })).toEqual([11, 12]);
      expect(seqs({ last: 4, limit: 1 })).toEqual([9]);
      expect(seqs({ last: 99 })).toHaveLength(12);
      expect(seqs({ last: 0 })).toEqual([]);
      expect(seqs({ from: 13 })).toEqual([]);
      const inRun = (query: object) => record.events({ runId: "b", ...query }).map(({ seq }) => seq);
      expect(inRun({ last: 1 })).toEqual([8]);
      expect(inRun({ from: 7 })).toEqual([7, 8]);
      expect(inRun({ limit: 2 })).toEqual([5, 6]);
    });

    test("reads without the pieces of streamed text, also from a place on, by tail and of one run", () => {
      const record = open({});
      for (const runId of ["a", "b"]) {
        for (const draft of [begun, delta, delta, finished]) record.append({ runId, sessionId: "s" }, draft);
      }
      const seqs = (query: object) =>
        record.events({ sessionId: "s", withoutDeltas: true, ...query }).map(({ seq }) => seq);
      expect(seqs({})).toEqual([1, 4, 5, 8]);
      expect(seqs({ from: 2, limit: 2 })).toEqual([4, 5]);
      expect(seqs({ last: 2 })).toEqual([5, 8]);
      expect(record.events({ runId: "b", withoutDeltas: true }).map(({ seq }) => seq)).toEqual([5, 8]);
    });

    test("takes events of a run that has ended, such as the answer to what it asked", () => {
      const record = open({});
      const place = { runId: "a", sessionId: "s" };
      for (const draft of [begun, finished]) record.append(place, draft);
      record.append({ runId: "b", sessionId: "s" }, begun);
      const late = record.append(place, notice);
      expect(record.events({ runId: "a" }).at(-1)).toEqual(late);
      expect(late.seq).toBe(4);
    });

    test("lists runs and sessions, the newest first", () => {
      let time = 0;
      const record = open({ now: () => ++time });
      record.append({ runId: "a", sessionId: "s" }, begun);
      record.append({ runId: "b" }, begun);
      record.append({ runId: "a", sessionId: "s" }, finished);
      record.append({ runId: "c", sessionId: "t" }, begun);
      record.append({ runId: "d", sessionId: "s" }, begun);
      expect(record.runs()).toEqual([
        { runId: "d", sessionId: "s", startedAt: 5, ended: false },
        { runId: "c", sessionId: "t", startedAt: 4, ended: false },
        { runId: "b", startedAt: 2, ended: false },
        { runId: "a", sessionId: "s", startedAt: 1, ended: true },
      ]);
      expect(record.runs({ sessionId: "s", last: 1 }).map(({ runId }) => runId)).toEqual(["d"]);
      expect(record.runs({ sessionId: "none" })).toEqual([]);
      expect(record.sessions()).toEqual([
        { sessionId: "s", startedAt: 1, lastAt: 5, lastSeq: 3, runs: 2 },
        { sessionId: "t", startedAt: 4, lastAt: 4, lastSeq: 1, runs: 1 },
      ]);
    });

    test("keeps the history that a session begins with, which is no run", () => {
      const record = open({ now: () => 7 });
      const first = record.append({ runId: "a", sessionId: "s" }, forked, { durable: true });
      expect(record.events({ sessionId: "s" })).toEqual([first]);
      expect(record.runs()).toEqual([]);
      expect(record.sessions()).toEqual([{ sessionId: "s", startedAt: 7, lastAt: 7, lastSeq: 1, runs: 0 }]);
      expect(record.append({ runId: "b", sessionId: "s" }, begun).seq).toBe(2);
      expect(record.runs()).toEqual([{ runId: "b", sessionId: "s", startedAt: 7, ended: false }]);
      expect(record.sessions()).toMatchObject([{ sessionId: "s", lastSeq: 2, runs: 1 }]);
    });

    test("lists a session with the labels of its newest run and the beginning of what was said in it first", () => {
      const record = open({});
      const place = { runId: "a", sessionId: "s" };
      const input = (text: string): EventDraft => ({
        ...{ type: "model.input", turn: 1, sha256: "h", artifact: "h", implicitSources: [], hostAdds: [] },
        messages: [
          { role: "assistant", content: [{ type: "text", text: "Before." }] },
          { role: "user", content: [{ type: "text", text }] },
        ],
      });
      for (const draft of [{ ...begun, labels: { a: "1" } }, input("x".repeat(300)), finished])
        record.append(place, draft);
      const again = { runId: "b", sessionId: "s" };
      for (const draft of [{ ...begun, labels: { b: "2" } }, input("Later"), finished]) record.append(again, draft);
      record.append({ runId: "c", sessionId: "t" }, begun);
      const [unsaid, said] = record.sessions().toSorted((one, other) => one.runs - other.runs);
      expect(said).toMatchObject({ sessionId: "s", labels: { b: "2" }, firstPrompt: "x".repeat(200) });
      expect(unsaid).toEqual(expect.not.objectContaining({ firstPrompt: expect.anything() }));
      expect(unsaid?.labels).toBeUndefined();
    });

    test("forgets a session that is removed, and nothing else; a new one of its name begins at 1", () => {
      const record = open({});
      for (const sessionId of ["s", "t"]) record.append({ runId: `run of ${sessionId}`, sessionId }, finished);
      record.removeSession("s");
      record.removeSession("unknown");
      expect(record.sessions().map(({ sessionId }) => sessionId)).toEqual(["t"]);
      expect(record.runs().map(({ runId }) => runId)).toEqual(["run of t"]);
      expect([record.events({ sessionId: "s" }), record.events({ runId: "run of s" })]).toEqual([[], []]);
      expect(record.append({ runId: "again", sessionId: "s" }, delta).seq).toBe(1);
    });

    test("returns what is on record, durable or not, whatever text it holds", () => {
      const record = open({});
      const texts = ["", "Grüße 👋", "a\u0000b", "\ud800", "'\"\\\n", "x".repeat(2_000_000)];
      const drafts = texts.flatMap((text): EventDraft[] => [
        { type: "text.delta", text },
        {
          type: "tool.finished",
          callId: text.slice(0, 9),
          ok: true,
          durationMs: 0.5,
          output: text,
          structured: [{ text }],
        },
      ]);
      const written = drafts.map((draft, index) => record.append({ runId: "a" }, draft, { durable: index % 3 === 0 }));
      expect(record.events({ runId: "a" })).toEqual(written);
      expect(written.map(({ seq }) => seq)).toEqual(drafts.map((_, index) => index + 1));
      for (const [index, event] of written.entries()) expect(event).toMatchObject(drafts[index] as object);
    });

    test("keeps the order of many streams that are written at once", () => {
      const record = open({});
      const written = new Map<string, RunEvent[]>();
      for (const place of randomPlaces(500)) {
        const event = record.append(place, place.runId.length % 2 ? delta : notice);
        const stream = place.sessionId ?? place.runId;
        written.set(stream, [...(written.get(stream) ?? []), event]);
      }
      for (const [stream, events] of written) {
        expect(record.events(stream.startsWith("s") ? { sessionId: stream } : { runId: stream })).toEqual(events);
        expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
      }
    });

    test("finds artifacts by the hash of their bytes", () => {
      const record = open({});
      const id = record.putArtifact("Grüße");
      expect(id).toBe(sha256(new TextEncoder().encode("Grüße")));
      expect(record.artifact(id)).toBe("Grüße");
      expect(record.putArtifact("Grüße")).toBe(id);
      for (const other of ["none", "../../etc/passwd", sha256("other")]) expect(record.artifact(other)).toBeUndefined();
    });

    test("takes credentials out before they are kept, those that are told and those that look like one", () => {
      const record = open({ redactor: createRedactor({ secrets: [told] }) });
      const place = { runId: "a", sessionId: "s" };
      const both = `${told} and ${formed}`;
      const error = new AuthenticationError(`The host refuses ${formed}.`);
      const drafts: EventDraft[] = [
        { ...begun, labels: { from: both } },
        { type: "tool.requested", callId: "1", tool: "t", input: { deep: [{ text: both }] }, inputHash: "h" },
        { type: "tool.finished", callId: "1", ok: true, durationMs: 1, output: both, structured: { both } },
        { type: "text.completed", text: both },
        { ...finished, result: { ...result, stopReason: "error", text: both, error } },
      ];
      const returned = drafts.map((draft) => record.append(place, draft));
      const kept = JSON.stringify([returned, record.events({ sessionId: "s" })]);
      expect(kept).not.toContain(told);
      expect(kept).not.toContain(formed);
      expect(returned.at(-1)).toMatchObject({ result: { error: { message: "The host refuses [secret]." } } });
      const id = record.putArtifact(both);
      expect(record.artifact(id)).toBe("[secret] and [secret]");
      expect(id).toBe(sha256("[secret] and [secret]"));
    });

    test("finds a credential that comes in pieces, and loses nothing around it", () => {
      for (const secret of [told, formed]) {
        for (const size of [1, 3, 7]) {
          const record = open({ redactor: createRedactor({ secrets: [told] }) });
          const text = `It is ${secret}, as I said.`;
          for (let at = 0; at < text.length; at += size) {
            record.append({ runId: "a" }, { type: "text.delta", text: text.slice(at, at + size) });
            record.append({ runId: "b" }, { type: "text.delta", text: "beside" });
          }
          const [entry] = buildTranscript(record.events({ runId: "a" })).entries;
          const read = entry?.kind === "text" ? entry.text : "";
          expect(read).not.toContain(secret.slice(0, 5));
          expect(read).toMatch(/^It is .{0,4}\[secret\], as I said\.$/);
        }
      }
    });

    test("finds a credential at the beginning of an answer that is asked for again in its middle", () => {
      const record = open({});
      const retry: EventDraft = { type: "retry.scheduled", attempt: 1, maxAttempts: 1, delayMs: 0, reason: "cut" };
      const said = (text: string): EventDraft => ({ type: "text.delta", text });
      const drafts = [said("Half of an"), retry, said(formed), said(" is it.")];
      const kept = drafts.map((draft) => record.append({ runId: "a" }, draft));
      expect(kept.slice(0, 2)).toMatchObject([said("Half of an"), retry]);
      expect(
        kept
          .slice(2)
          .map((event) => ("text" in event ? event.text : ""))
          .join(""),
      ).toBe("[secret] is it.");
    });

    test("keeps an error as it is where it holds no credential", () => {
      const error = new AuthenticationError("Nobody is logged in.");
      const ended = open({}).append({ runId: "a" }, { ...finished, result: { ...result, stopReason: "error", error } });
      expect(ended).toMatchObject({ result: { error } });
    });

    testApprovalStore(open, begun, finished);
  });
}

const told = "tulip-9931-meadow";
const formed = `sk-ant-api03-${"aB3".repeat(12)}`;

const delta: EventDraft = { type: "text.delta", text: "x" };
const notice: EventDraft = { type: "notice", level: "info", code: "c", message: "m" };
const result: RunResult = {
  stopReason: "natural",
  text: "",
  steps: 0,
  toolCalls: 0,
  toolFailures: 0,
  usage: noUsage,
};
const forked: EventDraft = { type: "history.replaced", reason: "forked", from: "old", messages: [] };
const finished = { type: "run.finished", result, durationMs: 1 } satisfies EventDraft;
const begun = {
  type: "run.started",
  operation: "loop",
  backend: "memory",
  model: "m",
  tools: [],
  builtins: [],
  stepBudget: 1,
  policy: "p",
} satisfies EventDraft;

/** The same places every time, in no order that means anything. */
function randomPlaces(count: number): RunScope[] {
  let state = 42;
  return Array.from({ length: count }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    const which = Math.floor(state / 1000) % 7;
    return which < 4 ? { runId: "r".repeat(which + 1) } : { runId: `run ${which}`, sessionId: `s${which % 2}` };
  });
}
