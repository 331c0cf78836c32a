import {
  addCost,
  addUsage,
  type Cost,
  type EventDraft,
  type FinishedStep,
  noCost,
  noUsage,
  omitUndefined,
  partialCost,
  totalTokens,
  type Usage,
} from "@bridle/protocol";

type Draft<K> = Extract<EventDraft, { type: K }>;

/** Tokens, and their cost if it is known. */
interface Spent {
  readonly usage: Usage;
  readonly cost: Cost | undefined;
}

const nothing: Spent = { usage: noUsage, cost: noCost };

function add(a: Spent, b: Spent): Spent {
  return { usage: addUsage(a.usage, b.usage), cost: addCost(a.cost, b.cost) };
}

/**
 * Counts the steps of a run, their usage, and the newest step's text. Each response counts when it is complete, so that nothing is lost if
 * the run ends early. A report from the host replaces the figures of the responses before it.
 */
export class StepCounter {
  readonly #budget: number;
  #steps = 0;
  #isOpen = false;
  #model: string | undefined;
  #completed: string[] = [];
  #streaming = "";
  #reported = nothing;
  #unreported = nothing;
  #all = noUsage;
  #hasUnknownCost = false;
  #hasHostTool = false;

  constructor(budget: number) {
    this.#budget = budget;
  }

  get steps(): number {
    return this.#steps;
  }

  /** Whether a response has begun and is not complete. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  get model(): string | undefined {
    return this.#model;
  }

  /** The part of the newest step's text that has arrived. */
  get text(): string {
    return [...this.#completed, this.#streaming].filter((text) => text !== "").join("\n\n");
  }

  /** The tokens and the cost that no report has covered yet. Undefined if a report covers all tokens. */
  get unreported(): Spent | undefined {
    return totalTokens(this.#unreported.usage) > 0 ? this.#unreported : undefined;
  }

  /** The tokens of all reports, and of the responses after the last one. */
  get usage(): Usage {
    return addUsage(this.#reported.usage, this.#unreported.usage);
  }

  /** The cost so far. Marked as `partial` if a response broke off, or if the cost of a part is unknown. */
  get cost(): Cost | undefined {
    const cost = addCost(this.#reported.cost, this.#unreported.cost);
    return this.#hasUnknownCost || this.#hasHostTool ? partialCost(cost) : cost;
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

  /** Finishes the open step. Returns undefined if no step is open. */
  finishStep({ usage, cost, finishReason }: FinishedStep): Draft<"step.finished"> | undefined {
    if (!this.#isOpen) return undefined;
    this.#isOpen = false;
    this.#addResponse({ usage, cost });
    const details = omitUndefined({ cost, finishReason });
    return { type: "step.finished", index: this.#steps, budget: this.#budget, usage, ...details };
  }

  addText(text: string): void {
    this.#streaming += text;
  }

  completeText(text: string): void {
    this.#completed.push(text);
    this.#streaming = "";
  }

  /**
   * Discards the text of the open step, because the request is repeated. `usage` is that of the response that broke off, if a response
   * began.
   */
  retryStep(usage: Usage | undefined, cost: Cost | undefined): void {
    if (usage) this.#addResponse({ usage, cost });
    if (usage || this.#isOpen) this.#hasUnknownCost = true;
    if (!this.#isOpen) return;
    this.#completed = [];
    this.#streaming = "";
  }

  /** Adds the host's report. It covers all responses so far. */
  addReported(usage: Usage, cost: Cost | undefined): void {
    this.#unreported = nothing;
    this.#hasHostTool = false;
    this.#reported = add(this.#reported, { usage, cost });
  }

  /** Records a request with a cost that no report will contain. */
  addUnknownCost(): void {
    this.#hasUnknownCost = true;
  }

  /**
   * Notes that one of the host's own tools runs. It may call a model, as a subagent does; only a report from the host includes such calls.
   */
  noteHostTool(): void {
    this.#hasHostTool = true;
  }

  #addResponse(response: Spent): void {
    this.#unreported = add(this.#unreported, response);
    this.#all = addUsage(this.#all, response.usage);
  }
}
