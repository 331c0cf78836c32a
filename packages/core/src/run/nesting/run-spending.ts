import { addNestedTotals, type NestedTotals, noNestedTotals, omitUndefined } from "@bridle/protocol";
import type { StepCounter } from "../../event-log/step-counter.ts";
import type { RequestWatch } from "../request-watch.ts";

interface SpendingParts {
  readonly steps: StepCounter;
  readonly requests: Pick<RequestWatch, "isOpen" | "isOwed" | "owe">;
  readonly limits: SpendingLimits;
  /** The run that called this one, and shares its budgets with it. */
  readonly caller?: RunSpending | undefined;
  /** The run whose history this run summarizes. That run pays for the summary, but the response does not count as one of its steps. */
  readonly summaryFor?: RunSpending | undefined;
  /** Returns the number of calls that the model made. */
  calls(): number;
}

/** The budgets of one run. */
interface SpendingLimits {
  readonly stepBudget: number;
  readonly maxTotalTokens?: number | undefined;
  readonly maxCostUsd?: number | undefined;
}

/** The remaining budgets. */
interface Allowance {
  readonly steps: number;
  /** The dollars that are left. Infinite without a limit. */
  readonly usd: number;
}

/**
 * Tracks how much of its budgets a run and its nested runs have used. All these runs are in one process, so the numbers are always exact: a
 * request counts from the moment when it may be sent. A run that has started others reserves the step for its own answer, so that no other
 * run takes it.
 */
export class RunSpending {
  readonly #parts: SpendingParts;
  readonly #called: RunSpending[] = [];
  readonly #summaries: RunSpending[] = [];

  constructor(parts: SpendingParts) {
    this.#parts = parts;
    const { caller, summaryFor } = parts;
    if (caller) caller.#call(this);
    if (summaryFor) summaryFor.#summaries.push(this);
  }

  /** Whether the runs that share the budgets of this run have used them up. False for a run that shares its budgets with no other. */
  get isOverdrawn(): boolean {
    const isShared = this.#parts.caller !== undefined || this.#nested.length > 0;
    return isShared && (this.hasSpent() || !this.fits());
  }

  /** The usage of the nested runs. Undefined without nested runs. */
  get nested(): NestedTotals | undefined {
    if (this.#nested.length === 0) return undefined;
    return this.#nested.reduce((sum, each) => addNestedTotals(sum, each.totals), noNestedTotals);
  }

  /** The usage of this run and its nested runs. */
  get totals(): NestedTotals {
    const { steps, calls } = this.#parts;
    const { usage, cost } = steps;
    const own = { runs: 1, steps: steps.steps, toolCalls: calls(), usage, ...omitUndefined({ cost }) };
    return this.nested ? addNestedTotals(own, this.nested) : own;
  }

  /** Whether the tokens or dollars of this run, or of a caller, are used up. */
  hasSpent(): boolean {
    const { limits, caller } = this.#parts;
    const { maxTotalTokens = Number.POSITIVE_INFINITY } = limits;
    const isSpent = this.#tokens >= maxTotalTokens || this.#usdLeft <= 0;
    return isSpent || (caller?.hasSpent() ?? false);
  }

  /** Whether the steps taken so far are within the budgets of this run and of its callers. */
  fits(): boolean {
    const { limits, caller } = this.#parts;
    return this.#taken <= limits.stepBudget && (caller?.fits() ?? true);
  }

  /** Returns the remaining budgets. */
  left(): Allowance {
    const { limits, caller, summaryFor } = this.#parts;
    const own = { steps: limits.stepBudget - this.#taken, usd: this.#usdLeft };
    const above = (caller ?? summaryFor)?.left();
    return above ? { steps: Math.min(own.steps, above.steps), usd: Math.min(own.usd, above.usd) } : own;
  }

  /** Returns the budgets for a run that this one starts now. This run keeps a step for its own answer. */
  allowance(): Allowance {
    const { steps, usd } = this.left();
    return { steps: steps - (this.#next === 1 ? 0 : 1), usd };
  }

  #call(called: RunSpending): void {
    this.#called.push(called);
    this.#parts.requests.owe();
  }

  get #nested(): readonly RunSpending[] {
    return [...this.#called, ...this.#summaries];
  }

  /** The number of responses that have begun, and of requests that may be on their way or are reserved. */
  get #taken(): number {
    return this.#called.reduce((sum, each) => sum + each.#taken, this.#parts.steps.steps + this.#next);
  }

  /** 1 if another response will follow, otherwise 0. */
  get #next(): number {
    const { steps, requests } = this.#parts;
    return requests.isOwed || (requests.isOpen && !steps.isOpen) ? 1 : 0;
  }

  get #tokens(): number {
    return this.#nested.reduce((sum, each) => sum + each.#tokens, this.#parts.steps.tokens);
  }

  get #usdLeft(): number {
    const { maxCostUsd = Number.POSITIVE_INFINITY } = this.#parts.limits;
    return maxCostUsd - (this.totals.cost?.usd ?? 0);
  }
}
