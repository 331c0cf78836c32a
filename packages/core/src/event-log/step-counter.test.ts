import { noUsage, type Usage } from "@bridle/protocol";
import { expect, test } from "vitest";
import { StepCounter } from "./step-counter.ts";

const ten: Usage = { ...noUsage, inputTokens: 7, outputTokens: 3 };

test("steps count from 1 and carry the budget", () => {
  const steps = new StepCounter(5);
  expect(steps.startStep(undefined)).toEqual({ type: "step.started", index: 1 });
  expect(steps.finishStep(ten)).toEqual({ type: "step.finished", index: 1, budget: 5, usage: ten });
  expect(steps.startStep("m")).toEqual({ type: "step.started", index: 2, model: "m" });
});

test("the end of a step without a start is no step", () => {
  const steps = new StepCounter(5);
  expect(steps.finishStep(ten)).toBeUndefined();
  steps.startStep("m");
  steps.finishStep(ten);
  expect(steps.finishStep(ten)).toBeUndefined();
  expect([steps.steps, steps.tokens]).toEqual([1, 10]);
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
  steps.voidText();
  expect(steps.text).toBe("");
  steps.addText("The answer");
  steps.finishStep(ten);
  steps.voidText();
  expect(steps.text).toBe("The answer");
});

test("a usage report covers all steps so far, but no later step", () => {
  const steps = new StepCounter(5);
  steps.startStep(undefined);
  steps.finishStep(ten);
  expect(steps.unreported).toEqual(ten);
  steps.addReported({ ...ten, inputTokens: 8 }, { usd: 0.5, estimate: false });
  expect(steps.unreported).toEqual(noUsage);
  steps.startStep(undefined);
  steps.finishStep(ten);
  steps.addReported(ten, { usd: 0.25, estimate: true });
  expect(steps.usage).toEqual({ ...noUsage, inputTokens: 15, outputTokens: 6 });
  expect(steps.cost).toEqual({ usd: 0.75, estimate: true });
  expect(steps.tokens).toBe(20);
});
