import {
  type ApprovalAnswer,
  type ApprovalStore,
  ConfigError,
  type EventDraft,
  type EventLog,
  InvalidRequestError,
  type RunScope,
} from "@bridle/protocol";
import { describe, expect, test } from "vitest";
import type { EventLogHarness } from "./event-log-harness.ts";

const scope: RunScope = { runId: "a", sessionId: "s" };
const allow = { decision: "allow", inputHash: "h" } as const;
const formed = `sk-ant-api03-${"aB3".repeat(12)}`;

/** Declares the tests of every event log that accepts answers from other processes. */
export function testApprovalStore(open: EventLogHarness["open"], begun: EventDraft, finished: EventDraft): void {
  /** An event log in which a run has asked these questions. */
  function openWithQuestions(...ids: string[]): EventLog & { approvals: ApprovalStore } {
    let time = 0;
    const eventLog = open({ now: () => ++time });
    const { approvals } = eventLog;
    if (!approvals) throw new Error("The event log accepts no answers.");
    eventLog.append(scope, begun);
    for (const id of ids) eventLog.append(scope, question(id));
    return { ...eventLog, approvals };
  }

  describe("accepts answers:", () => {
    test("lists open questions, oldest first, and whether their run waits", () => {
      const { approvals, append } = openWithQuestions("1", "2", "3");
      append(scope, decided("2"));
      append({ runId: "b" }, question("4"));
      expect(approvals.open()).toMatchObject([
        { id: "1", ...scope, askedAt: 2, input: { path: "x" }, inputHash: "h", alive: true },
        { id: "3", ...scope, askedAt: 4, alive: true },
        { id: "4", runId: "b", alive: true },
      ]);
      append(scope, finished);
      expect(approvals.open().map(({ alive }) => alive)).toEqual([false, false, true]);
    });

    test("stores the first answer to a question and refuses all others", () => {
      const { approvals } = openWithQuestions("1", "2");
      const answer: ApprovalAnswer = {
        decision: "allow",
        scope: "project",
        when: { path: "^x" },
        message: "m",
        by: "ada",
      };
      const whole = { ...answer, input: { path: "y", deep: [1, null] }, inputHash: "h" };
      expect(approvals.answerTo("1")).toBeUndefined();
      expect(approvals.answer("1", whole)).toMatchObject({ accepted: true, outcome: "delivered" });
      expect(approvals.answer("1", { ...allow, decision: "deny" })).toEqual({
        ...{ accepted: false, outcome: "settled", message: "The question is settled already. Nothing was changed." },
      });
      expect(approvals.answerTo("1")).toEqual(whole);
      expect(approvals.open().map(({ id }) => id)).toEqual(["2"]);
    });

    test("changes nothing if the question is unknown or settled, or the answer is for another input", () => {
      const { approvals, append } = openWithQuestions("1", "2");
      append(scope, decided("2"));
      expect(approvals.answer("0", allow)).toMatchObject({ accepted: false, outcome: "unknown" });
      expect(approvals.answer("2", allow)).toMatchObject({ accepted: false, outcome: "settled" });
      expect(approvals.answer("1", { ...allow, inputHash: "i" })).toMatchObject({
        accepted: false,
        outcome: "input-changed",
      });
      expect(["0", "1", "2"].map(approvals.answerTo)).toEqual([undefined, undefined, undefined]);
      expect(approvals.open().map(({ id }) => id)).toEqual(["1"]);
    });

    test("refuses a malformed answer, and an answer whose input or pattern contains a credential", () => {
      const { approvals } = openWithQuestions("1");
      const answering = (answer: object) => () => approvals.answer("1", { ...allow, ...answer });
      expect(answering({ decision: "sure" })).toThrow(InvalidRequestError);
      expect(answering({ more: 1 })).toThrow(InvalidRequestError);
      expect(answering({ when: { path: "(" } })).toThrow(ConfigError);
      expect(answering({ input: { key: formed } })).toThrow("looks like a credential");
      expect(answering({ when: { key: formed } })).toThrow("looks like a credential");
      expect(approvals.open()).toHaveLength(1);
      expect(answering({ message: `Use ${formed}.` })()).toMatchObject({ accepted: true });
      expect(approvals.answerTo("1")).toMatchObject({ message: expect.stringMatching(/^Use \[secret[^\]]*\]\.$/) });
    });

    test("accepts none after the owner has closed the question, and returns the first to the owner", () => {
      const { approvals, append } = openWithQuestions("1", "2");
      expect(approvals.close("1")).toBeUndefined();
      expect(approvals.answer("1", allow)).toMatchObject({ accepted: false, outcome: "settled" });
      approvals.answer("2", allow);
      expect(approvals.close("2")).toEqual(allow);
      for (const id of ["1", "2"]) append(scope, decided(id));
      expect(approvals.open()).toEqual([]);
      expect(approvals.answer("2", allow)).toMatchObject({ outcome: "settled" });
    });

    test("stores the answer to a question whose run has ended for the session's next run", () => {
      const { approvals, append } = openWithQuestions("1", "2");
      expect(approvals.takeOver("s")).toEqual([]);
      append(scope, finished);
      append({ runId: "b" }, question("3"));
      append({ runId: "b" }, finished);
      expect(approvals.answer("1", allow)).toEqual({
        ...{ accepted: true, outcome: "stored" },
        message: "Its run is over. The answer is kept for the next run of the session s.",
      });
      expect(approvals.answer("3", allow)).toMatchObject({ accepted: true, outcome: "run-ended" });
      for (const _ of [1, 2]) {
        expect(approvals.takeOver("s")).toMatchObject([
          { question: { approvalId: "1", runId: "a" }, answer: allow },
          { question: { approvalId: "2", runId: "a" } },
        ]);
      }
      expect(approvals.answer("2", allow)).toMatchObject({ accepted: false, outcome: "settled" });
      for (const id of ["1", "2"]) append({ runId: "c", sessionId: "s" }, decided(id));
      expect(approvals.takeOver("s")).toEqual([]);
    });

    test("removes the questions and answers of a removed session", () => {
      const { approvals, append, removeSession } = openWithQuestions("1", "2");
      approvals.answer("1", allow);
      append(scope, finished);
      removeSession("s");
      expect(approvals.open()).toEqual([]);
      expect(approvals.answer("1", allow)).toMatchObject({ outcome: "unknown" });
      append(scope, question("1"));
      expect(approvals.open()).toMatchObject([{ id: "1" }]);
    });
  });
}

function question(approvalId: string): EventDraft {
  return {
    ...{ type: "approval.requested", approvalId, callId: approvalId, attempt: 1, tool: "t", input: { path: "x" } },
    ...{ inputHash: "h", builtin: false, rule: "default", everyTime: false },
  };
}

function decided(approvalId: string): EventDraft {
  return {
    type: "approval.decided",
    approvalId,
    callId: approvalId,
    decision: "deny",
    source: "answer",
    scope: "once",
  };
}
