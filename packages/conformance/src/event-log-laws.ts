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
 * Declares the tests of every event log.
 *
 * @example testEventLog("the event log in memory", { open: createMemoryEventLog });
 */
export function testEventLog(name: string, { open }: EventLogHarness): void {
  describe(name, () => {
    test("numbers the events of each run from 1 without gaps, even if others are written between", () => {
      const eventLog = open({ now: () => 7 });
      for (const runId of ["a", "b", "a", "b", "a"]) eventLog.append({ runId }, delta);
      expect(eventLog.events({ runId: "a" })).toEqual([1, 2, 3].map((seq) => ({ ...delta, seq, time: 7, runId: "a" })));
      expect(eventLog.events({ runId: "b" }).map(({ seq }) => seq)).toEqual([1, 2]);
      expect(eventLog.events({ runId: "c" })).toEqual([]);
      expect(eventLog.events({ sessionId: "a" })).toEqual([]);
    });

    test("numbers the runs of a session as one stream, and returns each run's events", () => {
      const eventLog = open({});
      const first = [begun, delta, finished].map((draft) => eventLog.append({ runId: "a", sessionId: "s" }, draft));
      const second = [begun, finished].map((draft) => eventLog.append({ runId: "b", sessionId: "s" }, draft));
      expect([...first, ...second].map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
      expect(eventLog.events({ sessionId: "s" })).toEqual([...first, ...second]);
      expect(eventLog.events({ runId: "a" })).toEqual(first);
      expect(eventLog.events({ runId: "b" })).toEqual(second);
    });

    test("distinguishes a run and a session with the same id", () => {
      const eventLog = open({});
      eventLog.append({ runId: "x" }, delta);
      eventLog.append({ runId: "y", sessionId: "x" }, delta);
      expect(eventLog.events({ runId: "x" })).toMatchObject([{ seq: 1, runId: "x" }]);
      expect(eventLog.events({ sessionId: "x" })).toMatchObject([{ seq: 1, runId: "y", sessionId: "x" }]);
    });

    test("reads a range or the newest events, of a session or of one of its runs", () => {
      const eventLog = open({});
      for (const runId of ["a", "b", "c"]) {
        for (const draft of [begun, delta, delta, finished]) eventLog.append({ runId, sessionId: "s" }, draft);
      }
      const seqs = (query: object) => eventLog.events({ sessionId: "s", ...query }).map(({ seq }) => seq);
      expect(seqs({ from: 11 })).toEqual([11, 12]);
      expect(seqs({ from: 4, limit: 3 })).toEqual([4, 5, 6]);
      expect(seqs({ last: 2 })).toEqual([11, 12]);
      expect(seqs({ last: 4, limit: 1 })).toEqual([9]);
      expect(seqs({ last: 99 })).toHaveLength(12);
      expect(seqs({ last: 0 })).toEqual([]);
      expect(seqs({ from: 13 })).toEqual([]);
      const inRun = (query: object) => eventLog.events({ runId: "b", ...query }).map(({ seq }) => seq);
      expect(inRun({ last: 1 })).toEqual([8]);
      expect(inRun({ from: 7 })).toEqual([7, 8]);
      expect(inRun({ limit: 2 })).toEqual([5, 6]);
    });

    test("reads without deltas, with a range, the newest events and a single run too", () => {
      const eventLog = open({});
      for (const runId of ["a", "b"]) {
        for (const draft of [begun, delta, delta, finished]) eventLog.append({ runId, sessionId: "s" }, draft);
      }
      const seqs = (query: object) =>
        eventLog.events({ sessionId: "s", withoutDeltas: true, ...query }).map(({ seq }) => seq);
      expect(seqs({})).toEqual([1, 4, 5, 8]);
      expect(seqs({ from: 2, limit: 2 })).toEqual([4, 5]);
      expect(seqs({ last: 2 })).toEqual([5, 8]);
      expect(eventLog.events({ runId: "b", withoutDeltas: true }).map(({ seq }) => seq)).toEqual([5, 8]);
    });

    test("accepts events of a run that has ended, such as a late answer", () => {
      const eventLog = open({});
      const scope = { runId: "a", sessionId: "s" };
      for (const draft of [begun, finished]) eventLog.append(scope, draft);
      eventLog.append({ runId: "b", sessionId: "s" }, begun);
      const late = eventLog.append(scope, notice);
      expect(eventLog.events({ runId: "a" }).at(-1)).toEqual(late);
      expect(late.seq).toBe(4);
    });

    test("lists runs and sessions, newest first", () => {
      let time = 0;
      const eventLog = open({ now: () => ++time });
      eventLog.append({ runId: "a", sessionId: "s" }, begun);
      eventLog.append({ runId: "b" }, begun);
      eventLog.append({ runId: "a", sessionId: "s" }, finished);
      eventLog.append({ runId: "c", sessionId: "t" }, begun);
      eventLog.append({ runId: "d", sessionId: "s" }, begun);
      expect(eventLog.runs()).toEqual([
        { runId: "d", sessionId: "s", startedAt: 5, ended: false },
        { runId: "c", sessionId: "t", startedAt: 4, ended: false },
        { runId: "b", startedAt: 2, ended: false },
        { runId: "a", sessionId: "s", startedAt: 1, ended: true },
      ]);
      expect(eventLog.runs({ sessionId: "s", last: 1 }).map(({ runId }) => runId)).toEqual(["d"]);
      expect(eventLog.runs({ sessionId: "none" })).toEqual([]);
      expect(eventLog.sessions()).toEqual([
        { sessionId: "s", startedAt: 1, lastAt: 5, lastSeq: 3, runs: 2 },
        { sessionId: "t", startedAt: 4, lastAt: 4, lastSeq: 1, runs: 1 },
      ]);
    });

    test("stores the initial history of a forked session, which is not a run", () => {
      const eventLog = open({ now: () => 7 });
      const first = eventLog.append({ runId: "a", sessionId: "s" }, forked, { durable: true });
      expect(eventLog.events({ sessionId: "s" })).toEqual([first]);
      expect(eventLog.runs()).toEqual([]);
      expect(eventLog.sessions()).toEqual([{ sessionId: "s", startedAt: 7, lastAt: 7, lastSeq: 1, runs: 0 }]);
      expect(eventLog.append({ runId: "b", sessionId: "s" }, begun).seq).toBe(2);
      expect(eventLog.runs()).toEqual([{ runId: "b", sessionId: "s", startedAt: 7, ended: false }]);
      expect(eventLog.sessions()).toMatchObject([{ sessionId: "s", lastSeq: 2, runs: 1 }]);
    });

    test("lists a session with the labels of its newest run and the beginning of its first prompt", () => {
      const eventLog = open({});
      const scope = { runId: "a", sessionId: "s" };
      const input = (text: string): EventDraft => ({
        ...{ type: "model.input", turn: 1, sha256: "h", artifact: "h", implicitSources: [], hostAdds: [] },
        messages: [
          { role: "assistant", content: [{ type: "text", text: "Before." }] },
          { role: "user", content: [{ type: "text", text }] },
        ],
      });
      for (const draft of [{ ...begun, labels: { a: "1" } }, input("x".repeat(300)), finished])
        eventLog.append(scope, draft);
      const again = { runId: "b", sessionId: "s" };
      for (const draft of [{ ...begun, labels: { b: "2" } }, input("Later"), finished]) eventLog.append(again, draft);
      eventLog.append({ runId: "c", sessionId: "t" }, begun);
      const [silent, talkative] = eventLog.sessions().toSorted((one, other) => one.runs - other.runs);
      expect(talkative).toMatchObject({ sessionId: "s", labels: { b: "2" }, firstPrompt: "x".repeat(200) });
      expect(silent).toEqual(expect.not.objectContaining({ firstPrompt: expect.anything() }));
      expect(silent?.labels).toBeUndefined();
    });

    test("removes one session and nothing else; a new session with that id begins at 1", () => {
      const eventLog = open({});
      for (const sessionId of ["s", "t"]) eventLog.append({ runId: `run of ${sessionId}`, sessionId }, finished);
      eventLog.removeSession("s");
      eventLog.removeSession("unknown");
      expect(eventLog.sessions().map(({ sessionId }) => sessionId)).toEqual(["t"]);
      expect(eventLog.runs().map(({ runId }) => runId)).toEqual(["run of t"]);
      expect([eventLog.events({ sessionId: "s" }), eventLog.events({ runId: "run of s" })]).toEqual([[], []]);
      expect(eventLog.append({ runId: "again", sessionId: "s" }, delta).seq).toBe(1);
    });

    test("returns the stored event, durable or not, with any text", () => {
      const eventLog = open({});
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
      const written = drafts.map((draft, index) =>
        eventLog.append({ runId: "a" }, draft, { durable: index % 3 === 0 }),
      );
      expect(eventLog.events({ runId: "a" })).toEqual(written);
      expect(written.map(({ seq }) => seq)).toEqual(drafts.map((_, index) => index + 1));
      for (const [index, event] of written.entries()) expect(event).toMatchObject(drafts[index] as object);
    });

    test("keeps the order of many streams that are written in turns", () => {
      const eventLog = open({});
      const written = new Map<string, RunEvent[]>();
      for (const scope of randomScopes(500)) {
        const event = eventLog.append(scope, scope.runId.length % 2 ? delta : notice);
        const stream = scope.sessionId ?? scope.runId;
        written.set(stream, [...(written.get(stream) ?? []), event]);
      }
      for (const [stream, events] of written) {
        expect(eventLog.events(stream.startsWith("s") ? { sessionId: stream } : { runId: stream })).toEqual(events);
        expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
      }
    });

    test("finds artifacts by the hash of their bytes", () => {
      const eventLog = open({});
      const id = eventLog.putArtifact("Grüße");
      expect(id).toBe(sha256(new TextEncoder().encode("Grüße")));
      expect(eventLog.artifact(id)).toBe("Grüße");
      expect(eventLog.putArtifact("Grüße")).toBe(id);
      for (const other of ["none", "../../etc/passwd", sha256("other")])
        expect(eventLog.artifact(other)).toBeUndefined();
    });

    test("redacts credentials before it stores them: known ones, and texts that look like one", () => {
      const eventLog = open({ redactor: createRedactor({ secrets: [known] }) });
      const scope = { runId: "a", sessionId: "s" };
      const both = `${known} and ${formed}`;
      const error = new AuthenticationError(`The host refuses ${formed}.`);
      const drafts: EventDraft[] = [
        { ...begun, labels: { from: both } },
        { type: "tool.requested", callId: "1", tool: "t", input: { deep: [{ text: known }] }, inputHash: "h" },
        { type: "tool.finished", callId: "1", ok: true, durationMs: 1, output: both, structured: { both } },
        { type: "text.completed", text: both },
        { ...finished, result: { ...result, stopReason: "error", text: both, error } },
      ];
      const returned = drafts.map((draft) => eventLog.append(scope, draft));
      const stored = JSON.stringify([returned, eventLog.events({ sessionId: "s" })]);
      expect(stored).not.toContain(known);
      expect(stored).not.toContain(formed);
      expect(returned.at(-1)).toMatchObject({ result: { error: { message: `The host refuses ${markOfFormed}.` } } });
      const id = eventLog.putArtifact(both);
      expect(eventLog.artifact(id)).toBe(redacted);
      expect(id).toBe(sha256(redacted));
    });

    test("shows what a person decides about as it is, except for known credentials, which are marked by their length", () => {
      const eventLog = open({ redactor: createRedactor({ secrets: [known] }) });
      const input = { command: `password=x1$(touch payload) ${formed} ${known}; rm x` };
      const shown = { command: `password=x1$(touch payload) ${formed} [secret: 17 characters]; rm x` };
      const call = { callId: "1", tool: "t", input, inputHash: "h" };
      const asked = { attempt: 1, builtin: false, rule: "r", everyTime: false, preview: input.command };
      const drafts: EventDraft[] = [
        begun,
        { type: "tool.requested", ...call },
        { type: "approval.requested", approvalId: "a", ...call, ...asked },
        {
          ...{ type: "approval.decided", approvalId: "a", callId: "1", decision: "allow" },
          source: "answer",
          scope: "once",
          input,
        },
      ];
      for (const draft of drafts) eventLog.append({ runId: "a" }, draft);
      expect(eventLog.events({ runId: "a" }).slice(1)).toMatchObject([
        { input: shown },
        { input: shown, preview: shown.command },
        { input: shown },
      ]);
    });

    test("redacts a credential that is streamed in pieces, and keeps the text around it", () => {
      for (const secret of [known, formed]) {
        for (const size of [1, 3, 7]) {
          const eventLog = open({ redactor: createRedactor({ secrets: [known] }) });
          const text = `It is ${secret}, as agreed.`;
          for (let at = 0; at < text.length; at += size) {
            eventLog.append({ runId: "a" }, { type: "text.delta", text: text.slice(at, at + size) });
            eventLog.append({ runId: "b" }, { type: "text.delta", text: "beside" });
          }
          const [entry] = buildTranscript(eventLog.events({ runId: "a" })).entries;
          const read = entry?.kind === "text" ? entry.text : "";
          expect(read).not.toContain(secret.slice(0, 5));
          expect(read).toMatch(/^It is .{0,4}\[secret: \d+ characters\], as agreed\.$/);
        }
      }
    });

    test("redacts a credential at the beginning of a response that was requested again", () => {
      const eventLog = open({});
      const retry: EventDraft = { type: "retry.scheduled", attempt: 1, maxAttempts: 1, delayMs: 0, reason: "cut" };
      const piece = (text: string): EventDraft => ({ type: "text.delta", text });
      const drafts = [piece("Half of an"), retry, piece(formed), piece(" is it.")];
      const stored = drafts.map((draft) => eventLog.append({ runId: "a" }, draft));
      expect(stored.slice(0, 2)).toMatchObject([piece("Half of an"), retry]);
      expect(
        stored
          .slice(2)
          .map((event) => ("text" in event ? event.text : ""))
          .join(""),
      ).toBe(`${markOfFormed} is it.`);
    });

    test("keeps an error unchanged if it contains no credential", () => {
      const error = new AuthenticationError("Nobody is logged in.");
      const ended = open({}).append({ runId: "a" }, { ...finished, result: { ...result, stopReason: "error", error } });
      expect(ended).toMatchObject({ result: { error } });
    });

    testApprovalStore(open, begun, finished);
  });
}

const known = "tulip-9931-meadow";
const redacted = "[secret: 17 characters] and [secret: 49 characters]";
const markOfFormed = "[secret: 49 characters]";
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

/** Scopes in a pseudo-random order, the same in each run of the test. */
function randomScopes(count: number): RunScope[] {
  let state = 42;
  return Array.from({ length: count }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    const which = Math.floor(state / 1000) % 7;
    return which < 4 ? { runId: "r".repeat(which + 1) } : { runId: `run ${which}`, sessionId: `s${which % 2}` };
  });
}
