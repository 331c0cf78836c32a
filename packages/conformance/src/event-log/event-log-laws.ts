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
import { collect } from "../harness.ts";
import { appendEvents, storeArtifacts } from "./append-events.ts";
import { testApprovalStore } from "./approval-store-laws.ts";
import type { EventLogHarness } from "./event-log-harness.ts";
import { testLists } from "./list-laws.ts";
import { testSharedLimits } from "./shared-limit-laws.ts";
import { testSnapshots } from "./snapshot-laws.ts";
import { testWriters } from "./writer-laws.ts";

/**
 * Declares the tests of every event log.
 *
 * @example testEventLog("the event log in memory", { open: createMemoryEventLog });
 */
export function testEventLog(name: string, { open }: EventLogHarness): void {
  describe(name, () => {
    test("numbers the events of each run from 1 without gaps, even if others are written between", async () => {
      const eventLog = await open({ now: () => 7 });
      for (const runId of ["a", "b", "a", "b", "a"]) await appendEvents(eventLog, { runId }, delta);
      expect(await eventLog.read({ runId: "a" })).toEqual(
        [1, 2, 3].map((seq) => ({ ...delta, seq, time: 7, runId: "a" })),
      );
      expect((await eventLog.read({ runId: "b" })).map(({ seq }) => seq)).toEqual([1, 2]);
      expect(await eventLog.read({ runId: "c" })).toEqual([]);
      expect(await eventLog.read({ sessionId: "a" })).toEqual([]);
    });

    test("numbers the runs of a session as one stream, and returns each run's events", async () => {
      const eventLog = await open({});
      const first = await appendEvents(eventLog, { runId: "a", sessionId: "s" }, begun, delta, finished);
      const second = await appendEvents(eventLog, { runId: "b", sessionId: "s" }, begun, finished);
      expect([...first, ...second].map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
      expect(await eventLog.read({ sessionId: "s" })).toEqual([...first, ...second]);
      expect(await eventLog.read({ runId: "a" })).toEqual(first);
      expect(await eventLog.read({ runId: "b" })).toEqual(second);
    });

    test("distinguishes a run and a session with the same id", async () => {
      const eventLog = await open({});
      await appendEvents(eventLog, { runId: "x" }, delta);
      await appendEvents(eventLog, { runId: "y", sessionId: "x" }, delta);
      expect(await eventLog.read({ runId: "x" })).toMatchObject([{ seq: 1, runId: "x" }]);
      expect(await eventLog.read({ sessionId: "x" })).toMatchObject([{ seq: 1, runId: "y", sessionId: "x" }]);
    });

    test("reads a range or the newest events, of a session or of one of its runs", async () => {
      const eventLog = await open({});
      for (const runId of ["a", "b", "c"]) {
        await appendEvents(eventLog, { runId, sessionId: "s" }, begun, delta, delta, finished);
      }
      const seqs = async (query: object) => (await eventLog.read({ sessionId: "s", ...query })).map(({ seq }) => seq);
      expect(await seqs({ from: 11 })).toEqual([11, 12]);
      expect(await seqs({ from: 4, limit: 3 })).toEqual([4, 5, 6]);
      expect(await seqs({ last: 2 })).toEqual([11, 12]);
      expect(await seqs({ last: 4, limit: 1 })).toEqual([9]);
      expect(await seqs({ last: 99 })).toHaveLength(12);
      expect(await seqs({ last: 0 })).toEqual([]);
      expect(await seqs({ from: 13 })).toEqual([]);
      const inRun = async (query: object) => (await eventLog.read({ runId: "b", ...query })).map(({ seq }) => seq);
      expect(await inRun({ last: 1 })).toEqual([8]);
      expect(await inRun({ from: 7 })).toEqual([7, 8]);
      expect(await inRun({ limit: 2 })).toEqual([5, 6]);
    });

    test("reads without deltas, with a range, the newest events and a single run too", async () => {
      const eventLog = await open({});
      for (const runId of ["a", "b"]) {
        await appendEvents(eventLog, { runId, sessionId: "s" }, begun, delta, delta, finished);
      }
      const seqs = async (query: object) =>
        (await eventLog.read({ sessionId: "s", withoutDeltas: true, ...query })).map(({ seq }) => seq);
      expect(await seqs({})).toEqual([1, 4, 5, 8]);
      expect(await seqs({ from: 2, limit: 2 })).toEqual([4, 5]);
      expect(await seqs({ last: 2 })).toEqual([5, 8]);
      expect((await eventLog.read({ runId: "b", withoutDeltas: true })).map(({ seq }) => seq)).toEqual([5, 8]);
    });

    test("accepts events of a run that has ended, such as a late answer", async () => {
      const eventLog = await open({});
      const scope = { runId: "a", sessionId: "s" };
      await appendEvents(eventLog, scope, begun, finished);
      await appendEvents(eventLog, { runId: "b", sessionId: "s" }, begun);
      const [late] = await appendEvents(eventLog, scope, notice);
      expect((await eventLog.read({ runId: "a" })).at(-1)).toEqual(late);
      expect(late?.seq).toBe(4);
    });

    test("stores the initial history of a forked session, which is not a run", async () => {
      const eventLog = await open({ now: () => 7 });
      const first = await appendEvents(eventLog, { runId: "a", sessionId: "s" }, forked);
      expect(await eventLog.read({ sessionId: "s" })).toEqual(first);
      expect(await eventLog.runs()).toEqual([]);
      expect(await eventLog.sessions()).toEqual([
        { sessionId: "s", startedAt: 7, lastAt: 7, lastSeq: 1, runs: 0, forkedFrom: "old" },
      ]);
      expect(await appendEvents(eventLog, { runId: "b", sessionId: "s" }, begun)).toMatchObject([{ seq: 2 }]);
      expect(await eventLog.runs()).toEqual([{ runId: "b", sessionId: "s", startedAt: 7, ended: false }]);
      expect(await eventLog.sessions()).toMatchObject([
        { sessionId: "s", lastSeq: 2, runs: 1, forkedFrom: "old", newest: { runId: "b", ended: false } },
      ]);
    });

    test("removes one session and nothing else; a new session with that id begins at 1", async () => {
      const eventLog = await open({});
      for (const sessionId of ["s", "t"])
        await appendEvents(eventLog, { runId: `run of ${sessionId}`, sessionId }, finished);
      await eventLog.removeSession("s");
      await eventLog.removeSession("unknown");
      expect((await eventLog.sessions()).map(({ sessionId }) => sessionId)).toEqual(["t"]);
      expect((await eventLog.runs()).map(({ runId }) => runId)).toEqual(["run of t"]);
      expect([await eventLog.read({ sessionId: "s" }), await eventLog.read({ runId: "run of s" })]).toEqual([[], []]);
      expect(await appendEvents(eventLog, { runId: "again", sessionId: "s" }, delta)).toMatchObject([{ seq: 1 }]);
    });

    test("returns the stored event, durable or not, with any text", async () => {
      const eventLog = await open({});
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
      const written = await appendEvents(eventLog, { runId: "a" }, ...drafts);
      expect(await eventLog.read({ runId: "a" })).toEqual(written);
      expect(written.map(({ seq }) => seq)).toEqual(drafts.map((_, index) => index + 1));
      for (const [index, event] of written.entries()) expect(event).toMatchObject(drafts[index] as object);
    });

    test("keeps the order of many streams that are written in turns", async () => {
      const eventLog = await open({});
      const written = new Map<string, RunEvent[]>();
      for (const scope of randomScopes(500)) {
        const [event] = await appendEvents(eventLog, scope, scope.runId.length % 2 ? delta : notice);
        const stream = scope.sessionId ?? scope.runId;
        written.set(stream, [...(written.get(stream) ?? []), ...(event ? [event] : [])]);
      }
      for (const [stream, events] of written) {
        expect(await eventLog.read(stream.startsWith("s") ? { sessionId: stream } : { runId: stream })).toEqual(events);
        expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
      }
    });

    test("finds artifacts by the hash of their bytes", async () => {
      const eventLog = await open({});
      const [id = ""] = await storeArtifacts(eventLog, { runId: "a" }, "Grüße");
      expect(id).toBe(sha256(new TextEncoder().encode("Grüße")));
      expect(await eventLog.artifact(id)).toBe("Grüße");
      expect(await storeArtifacts(eventLog, { runId: "a" }, "Grüße")).toEqual([id]);
      for (const other of ["none", "../../etc/passwd", sha256("other")])
        expect(await eventLog.artifact(other)).toBeUndefined();
    });

    test("redacts credentials before it stores them: known ones, and texts that look like one", async () => {
      const eventLog = await open({ redactor: createRedactor({ secrets: [known] }) });
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
      const returned = await appendEvents(eventLog, scope, ...drafts);
      const stored = JSON.stringify([returned, await eventLog.read({ sessionId: "s" })]);
      expect(stored).not.toContain(known);
      expect(stored).not.toContain(formed);
      expect(returned.at(-1)).toMatchObject({ result: { error: { message: `The host refuses ${markOfFormed}.` } } });
      const [id = ""] = await storeArtifacts(eventLog, { runId: "a" }, both);
      expect(await eventLog.artifact(id)).toBe(redacted);
      expect(id).toBe(sha256(redacted));
    });

    test("shows what a person decides about as it is, except for known credentials, which are marked by their length", async () => {
      const eventLog = await open({ redactor: createRedactor({ secrets: [known] }) });
      const input = { command: `password=x1$(touch payload) ${formed} ${known}; rm x` };
      const shown = { command: `password=x1$(touch payload) ${formed} [secret: 17 characters]; rm x` };
      const call = { callId: "1", tool: "t", input, inputHash: "h" };
      const asked = { attempt: 1, builtin: false, rule: "r", everyTime: false, preview: input.command };
      const drafts: EventDraft[] = [
        begun,
        { type: "tool.requested", ...call },
        { type: "approval.requested", approvalId: "a", ...call, ...asked },
        {
          type: "approval.decided",
          approvalId: "a",
          callId: "1",
          decision: "allow",
          source: "answer",
          scope: "once",
          input,
        },
      ];
      await appendEvents(eventLog, { runId: "a" }, ...drafts);
      expect((await eventLog.read({ runId: "a" })).slice(1)).toMatchObject([
        { input: shown },
        { input: shown, preview: shown.command },
        { input: shown },
      ]);
    });

    test("redacts a credential that is streamed in pieces, and keeps the text around it", async () => {
      for (const secret of [known, formed]) {
        for (const size of [1, 3, 7]) {
          const eventLog = await open({ redactor: createRedactor({ secrets: [known] }) });
          const text = `It is ${secret}, as agreed.`;
          for (let at = 0; at < text.length; at += size) {
            await appendEvents(eventLog, { runId: "a" }, { type: "text.delta", text: text.slice(at, at + size) });
            await appendEvents(eventLog, { runId: "b" }, { type: "text.delta", text: "beside" });
          }
          const [entry] = buildTranscript(await eventLog.read({ runId: "a" })).entries;
          const read = entry?.kind === "text" ? entry.text : "";
          expect(read).not.toContain(secret.slice(0, 5));
          expect(read).toMatch(/^It is .{0,4}\[secret: \d+ characters\], as agreed\.$/);
        }
      }
    });

    test("redacts a credential at the beginning of a response that was requested again", async () => {
      const eventLog = await open({});
      const retry: EventDraft = { type: "retry.scheduled", attempt: 1, maxAttempts: 1, delayMs: 0, reason: "cut" };
      const piece = (text: string): EventDraft => ({ type: "text.delta", text });
      const drafts = [piece("Half of an"), retry, piece(formed), piece(" is it.")];
      const stored = await appendEvents(eventLog, { runId: "a" }, ...drafts);
      expect(stored.slice(0, 2)).toMatchObject([piece("Half of an"), retry]);
      expect(
        stored
          .slice(2)
          .map((event) => ("text" in event ? event.text : ""))
          .join(""),
      ).toBe(`${markOfFormed} is it.`);
    });

    test("keeps an error unchanged if it contains no credential", async () => {
      const error = new AuthenticationError("Nobody is logged in.");
      const ended = { ...finished, result: { ...result, stopReason: "error", error } } as const;
      const [logged] = await appendEvents(await open({}), { runId: "a" }, ended);
      expect(logged).toMatchObject({ result: { error } });
    });

    test("follows a run from an event on until the run ends, and a session until the caller has enough", async () => {
      const eventLog = await open({});
      const writer = await eventLog.openWriter({ sessionId: "s" });
      writer.append("a", begun);
      const enough = new AbortController();
      const ofRun = collect(eventLog.follow({ runId: "a", from: 2 }, new AbortController().signal));
      const ofSession = collectUntil(eventLog.follow({ sessionId: "s" }, enough.signal), 7, enough);
      const unknown = collect(eventLog.follow({ runId: "unknown" }, AbortSignal.abort()));
      for (let count = 0; count < 5; count++) {
        writer.append("a", delta);
        await writer.durable();
      }
      writer.append("a", finished);
      expect((await ofRun).map(({ seq }) => seq)).toEqual([2, 3, 4, 5, 6, 7]);
      expect(await ofSession).toEqual([1, 2, 3, 4, 5, 6, 7]);
      expect(await unknown).toEqual([]);
      await writer.close();
    });

    testWriters(open, begun, finished);
    testLists(open, begun, finished);
    testApprovalStore(open, begun, finished);
    testSnapshots(open, begun, finished);
    testSharedLimits(async () => open({}));
  });
}

/** Collects the sequence numbers of the events. Aborts at the number `last`. */
async function collectUntil(events: AsyncIterable<RunEvent>, last: number, enough: AbortController): Promise<number[]> {
  const numbers: number[] = [];
  for await (const { seq } of events) {
    numbers.push(seq);
    if (seq === last) enough.abort();
  }
  return numbers;
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
const named = { backend: "memory", model: "m" };
const begun = {
  type: "run.started",
  operation: "loop",
  ...named,
  tools: [],
  builtins: [],
  stepBudget: 1,
  policy: "p",
} satisfies EventDraft;

/** Returns scopes in a pseudo-random order that is the same in each run of the test. */
function randomScopes(count: number): RunScope[] {
  let state = 42;
  return Array.from({ length: count }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    const which = Math.floor(state / 1000) % 7;
    return which < 4 ? { runId: "r".repeat(which + 1) } : { runId: `run ${which}`, sessionId: `s${which % 2}` };
  });
}
