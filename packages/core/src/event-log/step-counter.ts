import {
  addCost,
  addUsage,
  type Cost,
  type EventDraft,
  noUsage,
  omitUndefined,
  totalTokens,
  type Usage,
} from "@bridle/protocol";

type Draft<K> = Extract<EventDraft, { type: K }>;

/** The steps of a run: their number, the text of the newest, and the tokens that no `usage.reported` has covered yet. */
export class StepCounter {
  readonly #budget: number;
  #steps = 0;
  #isOpen = false;
  #model: string | undefined;
  #completed: string[] = [];
  #streaming = "";
  #unreported = noUsage;
  #all = noUsage;
  #usage = noUsage;
  #cost: Cost | undefined;

  constructor(budget: number) {
    this.#budget = budget;
  }

  get steps(): number {
    return this.#steps;
  }

  get model(): string | undefined {
    return this.#model;
  }

  /** The text of the newest step, as far as it has arrived. */
  get text(): string {
    return [...this.#completed, this.#streaming].filter((text) => text !== "").join("\n\n");
  }

  get unreported(): Usage {
    return this.#unreported;
  }

  /** The sum of all reports. */
  get usage(): Usage {
    return this.#usage;
  }

  get cost(): Cost | undefined {
    return this.#cost;
  }

  /** The tokens of all steps so far. */
  get tokens(): number {
    return totalTokens(this.#all);
  }

  startStep(model: string | undefined): Draft<"step.started"> {
    this.#steps += 1;
    this.#isOpen = true;
    this.#model = model ?? this.#model;
    this.#completed = [];
    this.#streaming = "";
    return { type: "step.started", index: this.#steps, ...omitUndefined({ model: this.#model }) };
  }

  /** Undefined if no step is open. */
  finishStep(usage: Usage): Draft<"step.finished"> | undefined {
    if (!this.#isOpen) return undefined;
    this.#isOpen = false;
    this.#unreported = addUsage(this.#unreported, usage);
    this.#all = addUsage(this.#all, usage);
    return { type: "step.finished", index: this.#steps, budget: this.#budget, usage };
  }

  addText(text: string): void {
    this.#streaming += text;
  }

  completeText(text: string): void {
    this.#completed.push(text);
    this.#streaming = "";
  }

  /** The open step is requested again: its text so far is void. */
  voidText(): void {
    if (!this.#isOpen) return;
    this.#completed = [];
    this.#streaming = "";
  }

  /** Adds a report of the host; it covers all steps so far. */
  addReported(usage: Usage, cost: Cost | undefined): void {
    this.#unreported = noUsage;
    this.#usage = addUsage(this.#usage, usage);
    this.#cost = addCost(this.#cost, cost);
  }
}
