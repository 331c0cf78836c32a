import {
  type ApprovalAnswer,
  ConfigError,
  type EventDraft,
  type EventLog,
  InvalidRequestError,
  type RunScope,
} from "@bridle/protocol";
import { describe, expect, test } from "vitest";
import { appendEvents } from "./append-events.ts";
import type { EventLogHarness } from "./event-log-harness.ts";

const scope: RunScope = { runId: "a", sessionId: "s" };
const allow = { decision: "allow", inputHash: "h" } as const;
const formed = `sk-ant-api03-${"aB3".repeat(12)}`;

/** Declares the tests of every event log that accepts answers from other processes. */
export function testApprovalStore(open: EventLogHarness["open"], begun: EventDraft, finished: EventDraft): void {
  /** Opens an event log with a run in which these questions are open. */
  async function openWithQuestions(...ids: string[]) {
    let time = 0;
    const eventLog: EventLog = await open({ now: () => ++time });
    const { approvals } = eventLog;
    if (!approvals) throw new Error("The event log accepts no answers.");
    await appendEvents(eventLog, scope, begun, ...ids.map(question));
    const append = (to: RunScope, draft: EventDraft) => appendEvents(eventLog, to, draft);
    /** Answers a question and lets the run take the answer. */
    const answerAndTake = async (id: string, answer: ApprovalAnswer & { inputHash: string }) => {
      const writer = await eventLog.openWriter({ sessionId: "s" });
      const taken = Promise.withResolvers<void>();
      const stop = approvals.watch(id, { onAnswer: taken.resolve });
      const answering = approvals.answer(id, answer);
      await taken.promise;
      stop();
      writer.append("a", decided(id));
      const result = await answering;
      await writer.close();
      return result;
    };
    return { approvals, append, answerAndTake, eventLog };
  }

  describe("accepts answers:", () => {
    test("lists open questions, oldest first, and whether their run waits", async () => {
      const { approvals, append } = await openWithQuestions("1", "2", "3");
      await append(scope, decided("2"));
      await append({ runId: "b" }, question("4"));
      expect(await approvals.open()).toMatchObject([
        { id: "1", ...scope, askedAt: 2, input: { path: "x" }, inputHash: "h", alive: true },
        { id: "3", ...scope, askedAt: 4, alive: true },
        { id: "4", runId: "b", alive: true },
      ]);
      await append(scope, finished);
      expect((await approvals.open()).map(({ alive }) => alive)).toEqual([false, false, true]);
    });

    test("stores the first answer to a question and refuses all others", async () => {
      const { approvals } = await openWithQuestions("1", "2");
      const answer: ApprovalAnswer = {
        decision: "allow",
        scope: "project",
        when: { path: "^x" },
        message: "m",
        by: "ada",
      };
      const whole = { ...answer, input: { path: "y", deep: [1, null] }, inputHash: "h" };
      expect(await approvals.answerTo("1")).toBeUndefined();
      const answering = approvals.answer("1", whole);
      await expect.poll(() => approvals.answerTo("1")).toBeDefined();
      expect(await approvals.answer("1", { ...allow, decision: "deny" })).toEqual({
        accepted: false,
        outcome: "settled",
        message: "The question is settled already. Nothing was changed.",
      });
      expect(await approvals.answerTo("1")).toEqual(whole);
      expect((await approvals.open()).map(({ id }) => id)).toEqual(["2"]);
      await answering;
    });

    test("an answer is delivered when its run has taken it, and pending as long as it has not", async () => {
      const { approvals, answerAndTake, append } = await openWithQuestions("1", "2", "3");
      expect(await answerAndTake("1", allow)).toEqual({
        accepted: true,
        outcome: "delivered",
        message: "The answer was taken.",
      });
      expect(await approvals.answer("2", allow)).toMatchObject({ accepted: true, outcome: "pending" });
      expect(await approvals.answerTo("2")).toEqual(allow);
      const answering = approvals.answer("3", allow);
      await expect.poll(() => approvals.answerTo("3")).toBeDefined();
      await append(scope, finished);
      expect(await answering).toMatchObject({ accepted: true, outcome: "stored" });
    });

    test("informs those who wait about an answer once", async () => {
      const { approvals } = await openWithQuestions("1", "2");
      const told: string[] = [];
      approvals.watch("1", { onAnswer: () => told.push("first") });
      approvals.watch("1", { onAnswer: () => told.push("second") });
      approvals.watch("1", { onAnswer: () => told.push("stopped") })();
      const stop = approvals.watch("2", { onAnswer: () => told.push("other") });
      await approvals.answer("1", allow);
      expect(told).toEqual(["first", "second"]);
      approvals.watch("1", { onAnswer: () => told.push("later") });
      await expect.poll(() => told).toEqual(["first", "second", "later"]);
      stop();
    });

    test("changes nothing if the question is unknown or settled, or the answer is for another input", async () => {
      const { approvals, append } = await openWithQuestions("1", "2");
      await append(scope, decided("2"));
      expect(await approvals.answer("0", allow)).toMatchObject({ accepted: false, outcome: "unknown" });
      expect(await approvals.answer("2", allow)).toMatchObject({ accepted: false, outcome: "settled" });
      expect(await approvals.answer("1", { ...allow, inputHash: "i" })).toMatchObject({
        accepted: false,
        outcome: "input-changed",
      });
      expect(await Promise.all(["0", "1", "2"].map(approvals.answerTo))).toEqual([undefined, undefined, undefined]);
      expect((await approvals.open()).map(({ id }) => id)).toEqual(["1"]);
    });

    test("refuses a malformed answer, and an answer whose input or pattern contains a credential", async () => {
      const { approvals } = await openWithQuestions("1");
      const answering = (answer: object) => approvals.answer("1", { ...allow, ...answer });
      await expect(answering({ decision: "sure" })).rejects.toThrow(InvalidRequestError);
      await expect(answering({ more: 1 })).rejects.toThrow(InvalidRequestError);
      await expect(answering({ when: { path: "(" } })).rejects.toThrow(ConfigError);
      await expect(answering({ input: { key: formed } })).rejects.toThrow("looks like a credential");
      await expect(answering({ when: { key: formed } })).rejects.toThrow("looks like a credential");
      expect(await approvals.open()).toHaveLength(1);
      expect(await answering({ message: `Use ${formed}.` })).toMatchObject({ accepted: true });
      expect(await approvals.answerTo("1")).toMatchObject({
        message: expect.stringMatching(/^Use \[secret[^\]]*\]\.$/),
      });
    });

    test("accepts none after the owner has closed the question, and returns the first to the owner", async () => {
      const { approvals, append } = await openWithQuestions("1", "2");
      expect(await approvals.close("1")).toBeUndefined();
      expect(await approvals.answer("1", allow)).toMatchObject({ accepted: false, outcome: "settled" });
      await approvals.answer("2", allow);
      expect(await approvals.close("2")).toEqual(allow);
      for (const id of ["1", "2"]) await append(scope, decided(id));
      expect(await approvals.open()).toEqual([]);
      expect(await approvals.answer("2", allow)).toMatchObject({ outcome: "settled" });
    });

    test("stores the answer to a question whose run has ended for the session's next run", async () => {
      const { approvals, append } = await openWithQuestions("1", "2");
      expect(await approvals.takeOver("s")).toEqual([]);
      await append(scope, finished);
      await append({ runId: "b" }, question("3"));
      await append({ runId: "b" }, finished);
      expect(await approvals.answer("1", allow)).toEqual({
        accepted: true,
        outcome: "stored",
        message:
          "Nobody waits for it: its run is over. The answer is kept for the next run of the session s; send a message there to continue.",
      });
      expect(await approvals.answer("3", allow)).toMatchObject({ accepted: true, outcome: "run-ended" });
      for (const _ of [1, 2]) {
        expect(await approvals.takeOver("s")).toMatchObject([
          { question: { approvalId: "1", runId: "a" }, answer: allow },
          { question: { approvalId: "2", runId: "a" } },
        ]);
      }
      expect(await approvals.answer("2", allow)).toMatchObject({ accepted: false, outcome: "settled" });
      for (const id of ["1", "2"]) await append({ runId: "c", sessionId: "s" }, decided(id));
      expect(await approvals.takeOver("s")).toEqual([]);
    });

    test("closes the question of a nested run with its caller, which logs the outcome", async () => {
      const { approvals, append, eventLog } = await openWithQuestions();
      const nested = { runId: "n", sessionId: "ns", callId: "1" };
      await append(scope, { ...question("1"), callId: "c", nested });
      const asking = { runId: "n", sessionId: "ns" };
      await appendEvents(eventLog, asking, begun, question("1"), finished);
      expect(await approvals.takeOver("s")).toEqual([]);
      await append(scope, finished);
      expect(await approvals.open()).toMatchObject([{ id: "1", runId: "n", callers: ["s"], alive: false }]);
      const [orphan, ...others] = await approvals.takeOver("s");
      expect([orphan, others]).toMatchObject([{ question: { approvalId: "1", callId: "c", nested } }, []]);
      await append({ runId: "b", sessionId: "s" }, { ...decided("1"), callId: "c", nested });
      expect([await approvals.open(), await approvals.takeOver("s")]).toEqual([[], []]);
      expect(await approvals.answer("1", allow)).toMatchObject({ accepted: false, outcome: "settled" });
    });

    test("keeps no answer for a nested run that has ended, because nothing continues it", async () => {
      const { approvals, append } = await openWithQuestions();
      const nested = { runId: "n", sessionId: "ns", callId: "1" };
      await append({ runId: "n", sessionId: "ns" }, question("1"));
      for (const caller of ["s2", "s"])
        await append({ runId: caller, sessionId: caller }, { ...question("1"), callId: "c", nested });
      expect(await approvals.open()).toMatchObject([
        { id: "1", sessionId: "ns", callers: expect.arrayContaining(["s", "s2"]), alive: true },
      ]);
      await append({ runId: "n", sessionId: "ns" }, finished);
      expect(await approvals.answer("1", allow)).toEqual({
        accepted: true,
        outcome: "run-ended",
        message:
          "Nobody waits for it: its run is over, and the run that called it does not continue it. No call follows from it.",
      });
      expect(await approvals.open()).toEqual([]);
    });

    test("a question counts as soon as its event is appended, and so do its outcome and the end of its run", async () => {
      const { approvals, eventLog } = await openWithQuestions();
      const writer = await eventLog.openWriter({ sessionId: "s" });
      const append = (...drafts: EventDraft[]) => drafts.map((draft) => writer.append("a", draft));
      append(question("1"));
      expect(await approvals.answer("1", allow)).toMatchObject({ accepted: true, outcome: "pending" });
      append(question("2"));
      expect(await approvals.open()).toMatchObject([{ id: "2", alive: true }]);
      append(question("3"), decided("2"));
      expect(await approvals.answer("2", allow)).toMatchObject({ accepted: false, outcome: "settled" });
      append(finished);
      expect(await approvals.open()).toMatchObject([{ id: "3", alive: false }]);
      append(question("4"));
      expect(await approvals.takeOver("s")).toMatchObject([
        { question: { approvalId: "1" }, answer: allow },
        { question: { approvalId: "3" } },
        { question: { approvalId: "4" } },
      ]);
      await writer.close();
    });

    test("removes the questions and answers of a removed session", async () => {
      const { approvals, append, eventLog } = await openWithQuestions("1", "2");
      await approvals.answer("1", allow);
      await append(scope, finished);
      await eventLog.removeSession("s");
      expect(await approvals.open()).toEqual([]);
      expect(await approvals.answer("1", allow)).toMatchObject({ outcome: "unknown" });
      await append(scope, question("1"));
      expect(await approvals.open()).toMatchObject([{ id: "1" }]);
    });
  });
}

function question(approvalId: string): Extract<EventDraft, { type: "approval.requested" }> {
  return {
    type: "approval.requested",
    approvalId,
    callId: approvalId,
    attempt: 1,
    tool: "t",
    input: { path: "x" },
    inputHash: "h",
    builtin: false,
    rule: "default",
    everyTime: false,
  };
}

function decided(approvalId: string): Extract<EventDraft, { type: "approval.decided" }> {
  return {
    type: "approval.decided",
    approvalId,
    callId: approvalId,
    decision: "deny",
    source: "answer",
    scope: "once",
  };
}
