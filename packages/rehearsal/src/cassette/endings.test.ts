import { UsageLimitError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { createCassette } from "./cassette.ts";
import { eventsOf, fileOf, runOf } from "./recordings-for-tests.ts";

const step = { type: "step.started" };
const retry = (status?: number) => ({ type: "retry.scheduled", ...(status !== undefined && { status }) });
const over = { type: "step.finished" };
const said = (text: string) => [step, { type: "text.completed", text }, over];
const begun = (text: string) => [step, { type: "text.delta", text }];
const failed = (code: string, more: object = {}) => ({ stopReason: "error", error: { code, message: "", ...more } });

function toSteps(events: readonly object[], result: object = {}) {
  const cassette = createCassette([runOf("a", "Go", events, result)]);
  expect(fileOf(cassette)).toContain("rehearsal: 1");
  return cassette.script.turns[0]?.steps;
}

test("failed attempts before an answer become faults, and consecutive equal faults one step", () => {
  expect(toSteps([retry(529), retry(529), retry(), ...said("Well.")])).toEqual([
    { status: 529, times: 2 },
    { reset: true },
    { say: "Well." },
  ]);
});

test("an answer that broke off is cut, and the attempt after it is the next step", () => {
  expect(toSteps([...begun("It w"), retry(), ...said("It works.")])).toEqual([
    { say: "It w", cut: true },
    { say: "It works." },
  ]);
});

const deltas = (type: string, ...texts: string[]) => texts.map((text) => ({ type, text }));

test("an answer that was requested again in the middle of a step is cut, and the last one is the answer", () => {
  const cut = [...begun("Half of"), retry()];
  const answer = [...deltas("text.delta", "The ", "answer."), { type: "text.completed", text: "The answer." }, over];
  expect(toSteps([...cut, ...answer])).toEqual([{ say: "Half of", cut: true }, { say: "The answer." }]);
  expect(toSteps([...cut, ...deltas("text.delta", "Half"), retry(), retry(529), ...answer])).toEqual([
    { say: "Half of", cut: true },
    { say: "Half", cut: true },
    { status: 529 },
    { say: "The answer." },
  ]);
});

test("the part of a broken answer that a host keeps belongs to the next answer", () => {
  const kept = { type: "text.completed", text: "I look." };
  const events = [step, kept, ...deltas("text.delta", "Ha"), retry(), kept, { type: "text.completed", text: "Done." }];
  expect(toSteps([...events, over])).toEqual([{ say: "I look.\n\nHa", cut: true }, { say: "I look.\n\nDone." }]);
});

test("a step that was requested again before its first event has a fault before it", () => {
  expect(toSteps([step, retry(), { type: "text.completed", text: "Well." }])).toEqual([
    { reset: true },
    { say: "Well." },
  ]);
  expect(toSteps([...begun("It w"), retry()], failed("network"))).toEqual([{ say: "It w", cut: true }]);
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
  expect(toSteps([...said("First."), retry(529), retry(529)], failed(code))).toEqual([{ say: "First." }, fault]);
});

test("a used-up window resets as long after the replay as it did after the run", () => {
  const error = new UsageLimitError("Used up.", { resetsAt: new Date(90_004), window: "seven_day" });
  const limit = { resets_in_seconds: 90, window: "seven_day" };
  expect(toSteps([...said("First.")], { stopReason: "error", error })).toEqual([
    { say: "First." },
    { limit, ...final },
  ]);
  expect(toSteps([...said("First.")], failed("usage_limit", { resetsAt: "1970-01-01T00:01:30.004Z" }))?.[1]).toEqual({
    limit: { resets_in_seconds: 90 },
    ...final,
  });
});

test("a lost connection or a timeout in the middle of an answer keeps the content so far", () => {
  expect(toSteps(begun("It w"), failed("network"))).toEqual([{ say: "It w", cut: true }]);
  expect(toSteps(begun("It w"), failed("timeout"))).toEqual([{ say: "It w", stall: true }]);
});

test("a stopped run keeps the text so far, with a warning", () => {
  const { script, warnings } = createCassette([runOf("a", "Go", begun("It w"), { stopReason: "stopped" })]);
  expect(script.turns[0]?.steps).toEqual([{ say: "It w" }]);
  expect(warnings).toEqual(['"Go": the run was stopped: the text so far is played as the whole answer']);
});

test("an answer that reached its length limit has that stop reason", () => {
  expect(toSteps(said("Half an"), failed("budget_exceeded"))).toEqual([{ say: "Half an", stop_reason: "max_tokens" }]);
});

const started = { type: "run.started", operation: "object", backend: "memory", model: "m" };
const asked = (turn: number, content: string) => ({
  type: "model.input",
  turn,
  artifact: "none",
  messages: [{ role: "user", content }],
});

function turnsOfObject(events: readonly object[], result: object) {
  const cassette = createCassette([eventsOf("a", [started, ...events, { type: "run.finished", result }])]);
  expect(fileOf(cassette)).toContain("rehearsal: 1");
  return { turns: cassette.script.turns, warnings: cassette.warnings };
}

test("an object is the answer, whether the event log has its text or not", () => {
  const result = { stopReason: "natural", object: { n: 7 } };
  const steps = [{ object: { n: 7 } }];
  expect(turnsOfObject([asked(1, "Fill"), ...said('{ "n": 7 }')], result).turns[0]?.steps).toEqual(steps);
  expect(turnsOfObject([asked(1, "Fill"), step], result).turns[0]?.steps).toEqual(steps);
});

test("a refused object is left out with a warning if the event log lacks its text", () => {
  expect(turnsOfObject([asked(1, "Fill"), step, step], { stopReason: "natural", object: { n: 7 } })).toEqual({
    turns: [{ when: { user: "Fill" }, steps: [{ object: { n: 7 } }] }],
    warnings: ['"Fill": one answer that was no valid object is left out: the event log does not have its text'],
  });
});

test("repeated objects play on hosts that retry in the same message and in a new message", () => {
  const events = [asked(1, "Fill"), ...said('{"n":"seven"}'), asked(2, "Mend it"), ...said('{"n":7}')];
  const { turns } = turnsOfObject(events, { stopReason: "natural", object: { n: 7 } });
  expect(turns).toEqual([
    { when: { user: "Fill" }, steps: [{ object: { n: "seven" } }, { object: { n: 7 } }] },
    { when: { user: "Mend it" }, steps: [{ object: { n: 7 } }] },
  ]);
});

test("a model that returned no valid object repeats its last object", () => {
  const { turns } = turnsOfObject([asked(1, "Fill"), step], failed("structured_output", { text: '{"n":"x"}' }));
  expect(turns[0]?.steps).toEqual([{ object: { n: "x" }, forever: true }]);
});
