import { type Cost, noCost, noUsage, type Usage } from "@bridle/protocol";
import { expect, test } from "vitest";
import { StepCounter } from "./step-counter.ts";

const ten: Usage = { ...noUsage, inputTokens: 7, outputTokens: 3 };
const cent: Cost = { usd: 0.01, estimate: false };

test("steps count from 1 and carry the budget", () => {
  const steps = new StepCounter(5);
  expect(steps.startStep(undefined)).toEqual({ type: "step.started", index: 1 });
  expect(steps.finishStep({ usage: ten, cost: cent })).toEqual({
    type: "step.finished",
    index: 1,
    budget: 5,
    usage: ten,
    cost: cent,
  });
  expect(steps.startStep("m")).toEqual({ type: "step.started", index: 2, model: "m" });
});

test("the end of a step without a start is no step", () => {
  const steps = new StepCounter(5);
  expect(steps.finishStep({ usage: ten, cost: cent })).toBeUndefined();
  steps.startStep("m");
  steps.finishStep({ usage: ten, cost: cent });
  expect(steps.finishStep({ usage: ten, cost: cent })).toBeUndefined();
  expect([steps.steps, steps.tokens, steps.cost]).toEqual([1, 10, cent]);
});

test("a model that is named once is the model of later steps", () => {
  const steps = new StepCounter(5);
  steps.startStep("m");
  expect(steps.startStep(undefined)).toMatchObject({ index: 2, model: "m" });
});

test("the text is the newest step's completed and streamed text", () => {
  const steps = new StepCounter(5);
  steps.startStep(undefined);
  steps.addText("gone");
  steps.startStep(undefined);
  steps.addText("Hel");
  steps.addText("lo");
  expect(steps.text).toBe("Hello");
  steps.completeText("Hello.");
  steps.addText("And");
  expect(steps.text).toBe("Hello.\n\nAnd");
});

test("the text of a step that is requested again is void; the text of a finished step stays", () => {
  const steps = new StepCounter(5);
  steps.startStep(undefined);
  steps.completeText("Whole.");
  steps.addText("Half of an");
  steps.retryStep(undefined, undefined);
  expect(steps.text).toBe("");
  steps.addText("The answer");
  steps.finishStep({ usage: ten, cost: cent });
  steps.retryStep(undefined, undefined);
  expect(steps.text).toBe("The answer");
});

test("a usage report covers all steps so far, but no later step", () => {
  const steps = new StepCounter(5);
  steps.startStep(undefined);
  steps.finishStep({ usage: ten, cost: cent });
  expect(steps.unreported).toEqual({ usage: ten, cost: cent });
  steps.addReported({ ...ten, inputTokens: 8 }, { usd: 0.5, estimate: false });
  expect(steps.unreported).toBeUndefined();
  steps.startStep(undefined);
  steps.finishStep({ usage: ten, cost: undefined });
  steps.addReported(ten, { usd: 0.25, estimate: true });
  expect(steps.usage).toEqual({ ...noUsage, inputTokens: 15, outputTokens: 6 });
  expect(steps.cost).toEqual({ usd: 0.75, estimate: true });
  expect(steps.tokens).toBe(20);
});

test("responses without a report count, each with its cost", () => {
  const steps = new StepCounter(5);
  expect(steps.cost).toEqual(noCost);
  for (let index = 0; index < 3; index++) {
    steps.startStep(undefined);
    steps.finishStep({ usage: ten, cost: cent });
  }
  expect([steps.usage.inputTokens, steps.cost]).toEqual([21, { usd: 0.03, estimate: false }]);
});

test.each<[string, (steps: StepCounter) => void, Cost | undefined]>([
  ["nothing else", () => {}, cent],
  ["a response without a price", (steps) => finish(steps, undefined), { ...cent, partial: true }],
  ["a response that broke off, with its tokens", (steps) => steps.retryStep(ten, cent), part(0.02)],
  ["a response that broke off, without them", (steps) => breakOff(steps), part(0.01)],
  ["a request that was refused before a response", (steps) => steps.retryStep(undefined, undefined), cent],
  ["a tool of the host", (steps) => steps.noteHostTool(), part(0.01)],
  ["a tool of the host that a report covers", (steps) => reportHostTool(steps), { usd: 0.02, estimate: false }],
  ["a request on its way", (steps) => steps.addUnknownCost(), part(0.01)],
])("the cost of a run after a priced response and %s says whether it is complete", (_what, then, expected) => {
  const steps = new StepCounter(5);
  finish(steps, cent);
  then(steps);
  expect(steps.cost).toEqual(expected);
});

function finish(steps: StepCounter, cost: Cost | undefined): void {
  steps.startStep(undefined);
  steps.finishStep({ usage: ten, cost: cost });
}

function breakOff(steps: StepCounter): void {
  steps.startStep(undefined);
  steps.retryStep(undefined, undefined);
}

function reportHostTool(steps: StepCounter): void {
  steps.noteHostTool();
  steps.addReported(ten, { usd: 0.02, estimate: false });
}

function part(usd: number): Cost {
  return { usd, estimate: false, partial: true };
}
