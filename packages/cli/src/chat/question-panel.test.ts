import { ChatStore, createView } from "@bridle/app/chat";
import type { Approval, ApprovalAnswer } from "@bridle/protocol";
import { expect, test } from "vitest";
import { QuestionPanel } from "./question-panel.ts";

const approvalOf = (id: string): Approval => ({
  id,
  runId: "r",
  callId: id,
  attempt: 1,
  tool: "erase",
  input: { what: id },
  inputHash: `hash-${id}`,
  builtin: false,
  rule: "default",
  everyTime: false,
});

function stage(...ids: string[]) {
  const store = new ChatStore({ ...createView("s"), questions: ids.map(approvalOf) });
  const clock = { now: 0 };
  const answers: (ApprovalAnswer & { id: string })[] = [];
  const typing: string[] = [];
  const panel = new QuestionPanel({
    store,
    by: "ada",
    now: () => clock.now,
    changed() {},
    answer: (id, answer) => answers.push({ id, ...answer }),
    beginTyping: (text) => typing.push(text),
  });
  const close = (id: string) =>
    store.update((view) => ({ ...view, questions: view.questions.filter((each) => each.id !== id) }));
  const ask = (question: Approval) => store.update((view) => ({ ...view, questions: [question] }));
  return { panel, clock, answers, typing, close, ask };
}

test("a key answers a question only after a moment to read it, and typing restarts that moment", () => {
  const { panel, clock, answers } = stage("one");
  expect(panel.takesKeys()).toBe(false);
  clock.now = 399;
  panel.defer();
  clock.now = 500;
  expect(panel.takesKeys()).toBe(false);
  clock.now = 800;
  expect(panel.takesKeys()).toBe(true);
  panel.key("y");
  expect(answers).toEqual([{ id: "one", decision: "allow", by: "ada", inputHash: "hash-one" }]);
});

test("a typed message and an edited input are sent with the answer to the question on screen", () => {
  const { panel, answers, typing } = stage("one");
  panel.shown;
  panel.key("w");
  expect([panel.typing, panel.takesKeys()]).toEqual(["words", false]);
  panel.typed(" With\ncare. ");
  panel.key("e");
  expect(typing).toEqual(["", '{\n  "what": "one"\n}']);
  panel.typed("{");
  expect(panel.shown?.problem).toContain("This is not valid JSON");
  expect(panel.typing).toBe("input");
  panel.typed('{"what":"two"}');
  expect(answers).toEqual([
    { id: "one", decision: "allow", input: { what: "two" }, message: "With care.", by: "ada", inputHash: "hash-one" },
  ]);
});

test("an input that did not fit is edited further when its call is asked about again, and no key answers for the original", () => {
  const { panel, clock, answers, typing, ask } = stage("one");
  panel.shown;
  panel.key("e");
  panel.typed('{"waht":"two"}');
  ask({ ...approvalOf("again"), callId: "one", problem: "- what: expected string" });
  clock.now = 10_000;
  expect(panel.shown?.approval).toMatchObject({ id: "again", problem: "- what: expected string" });
  expect(typing).toEqual(['{\n  "what": "one"\n}', '{"waht":"two"}']);
  expect([panel.typing, panel.takesKeys()]).toEqual(["input", false]);
  panel.typed('{"what":"two"}');
  expect(answers).toMatchObject([{ input: { waht: "two" } }, { id: "again", input: { what: "two" } }]);
  ask({ ...approvalOf("other"), problem: "- what: expected string" });
  expect([panel.shown?.approval.id, panel.typing]).toEqual(["other", undefined]);
});

test("a question that is answered elsewhere discards the text typed for it, and the next question starts empty", () => {
  const { panel, clock, answers, close } = stage("one", "two");
  clock.now = 1000;
  panel.shown;
  panel.key("w");
  close("one");
  expect(panel.typing).toBeUndefined();
  expect(panel.shown).toMatchObject({ approval: { id: "two" }, position: [1, 1], words: "" });
  panel.typed("for the first");
  expect([panel.takesKeys(), answers]).toEqual([false, []]);
});

test("Tab cycles through the open questions, and each question needs its own moment to be read", () => {
  const { panel, clock } = stage("one", "two");
  panel.shown;
  clock.now = 1000;
  panel.key("\t");
  expect(panel.shown).toMatchObject({ approval: { id: "two" }, position: [2, 2] });
  expect(panel.takesKeys()).toBe(false);
  panel.key("\t");
  expect(panel.shown?.approval.id).toBe("one");
});

test("an empty text or a cancelled input answers nothing", () => {
  const { panel, answers } = stage("one");
  panel.shown;
  panel.key("e");
  panel.typed("  ");
  expect([panel.typing, answers]).toEqual([undefined, []]);
  panel.key("w");
  panel.cancelTyping();
  expect([panel.typing, answers]).toEqual([undefined, []]);
});
