import { UsageLimitError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { cassetteOf } from "./cassette.ts";
import { eventsOf, fileOf, runOf } from "./recordings-for-tests.ts";

const step = { type: "step.started" };
const retry = (status?: number) => ({ type: "retry.scheduled", ...(status !== undefined && { status }) });
const over = { type: "step.finished" };
const said = (text: string) => [step, { type: "text.completed", text }, over];
const begun = (text: string) => [step, { type: "text.delta", text }];
const failed = (code: string, more: object = {}) => ({ stopReason: "error", error: { code, message: "", ...more } });

function stepsOf(events: readonly object[], result: object = {}) {
  const cassette = cassetteOf([runOf("a", "Go", events, result)]);
  expect(fileOf(cassette)).toContain("rehearsal: 1");
  return cassette.script.turns[0]?.steps;
}

test("failed attempts before an answer are faults before it, and the same ones in a row are one step", () => {
  expect(stepsOf([retry(529), retry(529), retry(), ...said("Well.")])).toEqual([
    { status: 529, times: 2 },
    { reset: true },
    { say: "Well." },
  ]);
});

test("an answer that broke off is cut, and the attempt after it is the next step", () => {
  expect(stepsOf([...begun("It w"), retry(), ...said("It works.")])).toEqual([
    { say: "It w", cut: true },
    { say: "It works." },
  ]);
});

const deltas = (type: string, ...texts: string[]) => texts.map((text) => ({ type, text }));

test("an answer that was asked for again in the middle of a step is cut, and the last one is the answer", () => {
  const cut = [...begun("Half of"), retry()];
  const answer = [...deltas("text.delta", "The ", "answer."), { type: "text.completed", text: "The answer." }, over];
  expect(stepsOf([...cut, ...answer])).toEqual([{ say: "Half of", cut: true }, { say: "The answer." }]);
  expect(stepsOf([...cut, ...deltas("text.delta", "Half"), retry(), retry(529), ...answer])).toEqual([
    { say: "Half of", cut: true },
    { say: "Half", cut: true },
    { status: 529 },
    { say: "The answer." },
  ]);
});

test("what a host keeps of an answer that broke off is part of the next", () => {
  const kept = { type: "text.completed", text: "I look." };
  const events = [step, kept, ...deltas("text.delta", "Ha"), retry(), kept, { type: "text.completed", text: "Done." }];
  expect(stepsOf([...events, over])).toEqual([{ say: "I look.\n\nHa", cut: true }, { say: "I look.\n\nDone." }]);
});

test("a step that was asked for again before anything came of it has a fault before it", () => {
  expect(stepsOf([step, retry(), { type: "text.completed", text: "Well." }])).toEqual([
    { reset: true },
    { say: "Well." },
  ]);
  expect(stepsOf([...begun("It w"), retry()], failed("network"))).toEqual([{ say: "It w", cut: true }]);
});

const final = { headers: { "x-should-retry": "false" } };

test.each([
  ["rate_limit", { status: 429, ...final }],
  ["overloaded", { status: 529, ...final }],
  ["billing", { status: 402, ...final }],
  ["authentication", { status: 401, ...final }],
  ["model_not_found", { status: 404, ...final }],
  ["context_overflow", { status: 400, error_type: "context_length_exceeded", ...final }],
  ["network", { reset: true }],
  ["timeout", { stall: true }],
])("a run that ended with %s ends with that fault, without the attempts that led to it", (code, fault) => {
  expect(stepsOf([...said("First."), retry(529), retry(529)], failed(code))).toEqual([{ say: "First." }, fault]);
});

test("a used-up window is one that opens as long after the replay as it did after the run", () => {
  const error = new UsageLimitError("Used up.", { resetsAt: new Date(90_004), window: "seven_day" });
  const limit = { resets_in_seconds: 90, window: "seven_day" };
  expect(stepsOf([...said("First.")], { stopReason: "error", error })).toEqual([
    { say: "First." },
    { limit, ...final },
  ]);
  expect(stepsOf([...said("First.")], failed("usage_limit", { resetsAt: "1970-01-01T00:01:30.004Z" }))?.[1]).toEqual({
    limit: { resets_in_seconds: 90 },
    ...final,
  });
});

test("a connection that was lost, and a time that was up, in the middle of an answer leave what had come", () => {
  expect(stepsOf(begun("It w"), failed("network"))).toEqual([{ say: "It w", cut: true }]);
  expect(stepsOf(begun("It w"), failed("timeout"))).toEqual([{ say: "It w", stall: true }]);
});

test("a run that was stopped has what the model had said by then, and says so", () => {
  const { script, warnings } = cassetteOf([runOf("a", "Go", begun("It w"), { stopReason: "stopped" })]);
  expect(script.turns[0]?.steps).toEqual([{ say: "It w" }]);
  expect(warnings).toEqual([
    '"Go": the run was stopped: what the model had said by then is played as its whole answer',
  ]);
});

test("an answer that was longer than allowed stops for that reason", () => {
  expect(stepsOf(said("Half an"), failed("budget_exceeded"))).toEqual([{ say: "Half an", stop_reason: "max_tokens" }]);
});

const started = { type: "run.started", operation: "object", backend: "memory", model: "m" };
const asked = (turn: number, content: string) => ({
  type: "model.input",
  turn,
  artifact: "none",
  messages: [{ role: "user", content }],
});

function turnsOfObject(events: readonly object[], result: object) {
  const cassette = cassetteOf([eventsOf("a", [started, ...events, { type: "run.finished", result }])]);
  expect(fileOf(cassette)).toContain("rehearsal: 1");
  return { turns: cassette.script.turns, warnings: cassette.warnings };
}

test("an object is the answer, whether the host put its text on record or not", () => {
  const result = { stopReason: "natural", object: { n: 7 } };
  const steps = [{ object: { n: 7 } }];
  expect(turnsOfObject([asked(1, "Fill"), ...said('{ "n": 7 }')], result).turns[0]?.steps).toEqual(steps);
  expect(turnsOfObject([asked(1, "Fill"), step], result).turns[0]?.steps).toEqual(steps);
});

test("an object that was refused within a message is left out where its words are not on record, and said so", () => {
  expect(turnsOfObject([asked(1, "Fill"), step, step], { stopReason: "natural", object: { n: 7 } })).toEqual({
    turns: [{ when: { user: "Fill" }, steps: [{ object: { n: 7 } }] }],
    warnings: ['"Fill": one answer that was no valid object is left out: its words are not on record'],
  });
});

test("objects that were asked for again play on a host that asks within the message, and on one that asks anew", () => {
  const events = [asked(1, "Fill"), ...said('{"n":"seven"}'), asked(2, "Mend it"), ...said('{"n":7}')];
  const { turns } = turnsOfObject(events, { stopReason: "natural", object: { n: 7 } });
  expect(turns).toEqual([
    { when: { user: "Fill" }, steps: [{ object: { n: "seven" } }, { object: { n: 7 } }] },
    { when: { user: "Mend it" }, steps: [{ object: { n: 7 } }] },
  ]);
});

test("a model that never gave a valid object never gives one", () => {
  const { turns } = turnsOfObject([asked(1, "Fill"), step], failed("structured_output", { text: '{"n":"x"}' }));
  expect(turns[0]?.steps).toEqual([{ object: { n: "x" }, forever: true }]);
});
