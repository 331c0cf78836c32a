import {
  addCost,
  addUsage,
  type BackendEvent,
  type Cost,
  noCost,
  noUsage,
  omitUndefined,
  type Usage,
} from "@bridle/protocol";

/** Sums the tokens and US dollars of a turn's responses. */
export class TurnSpending {
  readonly #contextWindow: number | undefined;
  #usage: Usage = noUsage;
  #cost: Cost | undefined = noCost;
  #count = 0;

  constructor(contextWindow: number | undefined) {
    this.#contextWindow = contextWindow;
  }

  /** The US dollars spent so far. A budget is accepted only for models with a price. */
  get usd(): number {
    return this.#cost?.usd ?? 0;
  }

  add({ usage, cost }: { readonly usage: Usage; readonly cost: Cost | undefined }): void {
    this.#usage = addUsage(this.#usage, usage);
    this.#cost = addCost(this.#cost, cost);
    this.#count += 1;
  }

  /** Returns the event with the sums; undefined before the first response. */
  report(): BackendEvent | undefined {
    if (this.#count === 0) return undefined;
    const [usage, cost, contextWindow] = [this.#usage, this.#cost, this.#contextWindow];
    return omitUndefined({ type: "usage.reported" as const, usage, cost, contextWindow });
  }
}
