import { expect, test } from "vitest";
import type { SessionEntry } from "../connection/session-entries.ts";
import { askedByCalls, questionsOf } from "./session-questions.ts";

const call = (seq: number, approvalId?: string): SessionEntry => ({
  kind: "tool",
  callId: `c${seq}`,
  tool: "look",
  input: {},
  step: 1,
  state: "running",
  progress: [],
  runId: "r",
  seq,
  time: seq,
  ...(approvalId !== undefined && { approvalId }),
});
const questions = [
  { id: "own", session: "s" },
  { id: "inner", session: "s-inner" },
  { id: "foreign", session: "other" },
];

test("a session has its own questions and those of agents that its calls started", () => {
  const asked = askedByCalls(questions, "s", [call(1, "own"), call(2), call(3, "inner")]);
  expect(questionsOf(questions, "s", asked).map(({ id }) => id)).toEqual(["own", "inner"]);
  expect(questionsOf(questions, "s", "").map(({ id }) => id)).toEqual(["own"]);
});

test("other entries that ask the same are equal, and no entry is looked at while no other session asks", () => {
  const first = askedByCalls(questions, "s", [call(1, "inner")]);
  expect(askedByCalls(questions, "s", [call(1, "inner"), call(2), call(3, "own")])).toBe(first);
  const unread: readonly SessionEntry[] = new Proxy([], {
    get() {
      throw new Error("An entry was looked at.");
    },
  });
  expect(askedByCalls(questions.slice(0, 1), "s", unread)).toBe("");
});
