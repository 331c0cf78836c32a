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

const place: RunScope = { runId: "a", sessionId: "s" };
const allow = { decision: "allow", inputHash: "h" } as const;
const formed = `sk-ant-api03-${"aB3".repeat(12)}`;

/** Declares what holds of every record whose questions can be answered from elsewhere. */
export function testApprovalStore(open: EventLogHarness["open"], begun: EventDraft, finished: EventDraft): void {
  /** A record in which a run has put these questions. */
  function asking(...ids: string[]): EventLog & { approvals: ApprovalStore } {
    let time = 0;
    const record = open({ now: () => ++time });
    const { approvals } = record;
    if (!approvals) throw new Error("The record takes no answers.");
    record.append(place, begun);
    for (const id of ids) record.append(place, question(id));
    return { ...record, approvals };
  }

  describe("takes answers:", () => {
    test("lists the questions without one, the oldest first, and whether their run waits", () => {
      const { approvals, append } = asking("1", "2", "3");
      append(place, decided("2"));
      append({ runId: "b" }, question("4"));
      expect(approvals.open()).toMatchObject([
        { id: "1", ...place, askedAt: 2, input: { path: "x" }, inputHash: "h", alive: true },
        { id: "3", ...place, askedAt: 4, alive: true },
        { id: "4", runId: "b", alive: true },
      ]);
      append(place, finished);
      expect(approvals.open().map(({ alive }) => alive)).toEqual([false, false, true]);
    });

    test("keeps the first answer to a question, whole, and refuses all others", () => {
      const { approvals } = asking("1", "2");
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

    test("changes nothing for a question that is not known or settled, and for another input", () => {
      const { approvals, append } = asking("1", "2");
      append(place, decided("2"));
      expect(approvals.answer("0", allow)).toMatchObject({ accepted: false, outcome: "unknown" });
      expect(approvals.answer("2", allow)).toMatchObject({ accepted: false, outcome: "settled" });
      expect(approvals.answer("1", { ...allow, inputHash: "i" })).toMatchObject({
        accepted: false,
        outcome: "input-changed",
      });
      expect(["0", "1", "2"].map(approvals.answerTo)).toEqual([undefined, undefined, undefined]);
      expect(approvals.open().map(({ id }) => id)).toEqual(["1"]);
    });

    test("refuses what is no answer, and what holds a credential that a call would depend on", () => {
      const { approvals } = asking("1");
      const giving = (answer: object) => () => approvals.answer("1", { ...allow, ...answer });
      expect(giving({ decision: "sure" })).toThrow(InvalidRequestError);
      expect(giving({ more: 1 })).toThrow(InvalidRequestError);
      expect(giving({ when: { path: "(" } })).toThrow(ConfigError);
      expect(giving({ input: { key: formed } })).toThrow("looks like a credential");
      expect(giving({ when: { key: formed } })).toThrow("looks like a credential");
      expect(approvals.open()).toHaveLength(1);
      expect(giving({ message: `Use ${formed}.` })()).toMatchObject({ accepted: true });
      expect(approvals.answerTo("1")).toMatchObject({ message: "Use [secret]." });
    });

    test("takes none any more once the owner has closed the question, and gives the owner the first", () => {
      const { approvals, append } = asking("1", "2");
      expect(approvals.close("1")).toBeUndefined();
      expect(approvals.answer("1", allow)).toMatchObject({ accepted: false, outcome: "settled" });
      approvals.answer("2", allow);
      expect(approvals.close("2")).toEqual(allow);
      for (const id of ["1", "2"]) append(place, decided(id));
      expect(approvals.open()).toEqual([]);
      expect(approvals.answer("2", allow)).toMatchObject({ outcome: "settled" });
    });

    test("keeps an answer to a question whose run is over for the next run of the session, which takes over all", () => {
      const { approvals, append } = asking("1", "2");
      expect(approvals.takeOver("s")).toEqual([]);
      append(place, finished);
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

    test("forgets the questions and answers of a session that is removed", () => {
      const { approvals, append, removeSession } = asking("1", "2");
      approvals.answer("1", allow);
      append(place, finished);
      removeSession("s");
      expect(approvals.open()).toEqual([]);
      expect(approvals.answer("1", allow)).toMatchObject({ outcome: "unknown" });
      append(place, question("1"));
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
