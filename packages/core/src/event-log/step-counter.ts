import { addCost, addUsage, type Cost, type EventDraft, noUsage, totalTokens, type Usage } from "@bridle/protocol";

type Draft<K> = Extract<EventDraft, { type: K }>;

/**
 * What the engine remembers of a run's steps: their number, the text of the newest, and the tokens that no
 * `usage.reported` has covered yet.
 */
export interface StepCounter {
  readonly steps: number;
  readonly model: string | undefined;
  /** The text of the newest step, as far as it came. */
  readonly text: string;
  readonly unreported: Usage;
  /** Everything that was reported. */
  readonly usage: Usage;
  readonly cost: Cost | undefined;
  /** Tokens of the steps so far. */
  readonly tokens: number;
  startStep(model: string | undefined): Draft<"step.started">;
  /** Undefined when no step is open. */
  finishStep(usage: Usage): Draft<"step.finished"> | undefined;
  addText(text: string): void;
  completeText(text: string): void;
  /** The open step is asked for again: what was told of it is void. */
  voidText(): void;
  /** Takes what the host reported; it covers all steps so far. */
  addReported(usage: Usage, cost: Cost | undefined): void;
}

export function createStepCounter(budget: number): StepCounter {
  let steps = 0;
  let open = false;
  let model: string | undefined;
  let completed: string[] = [];
  let streaming = "";
  let unreported = noUsage;
  let all = noUsage;
  let usage = noUsage;
  let cost: Cost | undefined;
  return {
    startStep(named) {
      steps += 1;
      open = true;
      model = named ?? model;
      completed = [];
      streaming = "";
      return { type: "step.started", index: steps, ...(model === undefined ? {} : { model }) };
    },
    finishStep(stepUsage) {
      if (!open) return undefined;
      open = false;
      unreported = addUsage(unreported, stepUsage);
      all = addUsage(all, stepUsage);
      return { type: "step.finished", index: steps, budget, usage: stepUsage };
    },
    addText(text) {
      streaming += text;
    },
    completeText(text) {
      completed.push(text);
      streaming = "";
    },
    voidText() {
      if (!open) return;
      completed = [];
      streaming = "";
    },
    addReported(delta, deltaCost) {
      unreported = noUsage;
      usage = addUsage(usage, delta);
      cost = addCost(cost, deltaCost);
    },
    get usage() {
      return usage;
    },
    get cost() {
      return cost;
    },
    get steps() {
      return steps;
    },
    get model() {
      return model;
    },
    get text() {
      return [...completed, streaming].filter((text) => text !== "").join("\n\n");
    },
    get unreported() {
      return unreported;
    },
    get tokens() {
      return totalTokens(all);
    },
  };
}
