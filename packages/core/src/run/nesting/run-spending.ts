import { addNestedTotals, type NestedTotals, noNestedTotals, omitUndefined } from "@bridle/protocol";
import type { StepCounter } from "../../event-log/step-counter.ts";
import type { RequestWatch } from "../request-watch.ts";

interface SpendingParts {
  readonly steps: StepCounter;
  readonly requests: Pick<RequestWatch, "isOpen">;
  readonly limits: SpendingLimits;
  readonly caller?: RunSpending | undefined;
  /** The number of calls that the model made. */
  calls(): number;
}

/** The budgets of one run. */
interface SpendingLimits {
  readonly stepBudget: number;
  readonly maxTotalTokens?: number | undefined;
  readonly maxCostUsd?: number | undefined;
}

/** What remains of budgets. */
interface Allowance {
  readonly steps: number;
  /** Infinite without a limit. */
  readonly usd: number;
}

/**
 * What a run has used of its budgets, with its nested runs. All of them are in one process, so what is read is exact at each
 * moment: a request counts from the moment when it may be sent.
 */
export class RunSpending {
  readonly #parts: SpendingParts;
  readonly #nested: RunSpending[] = [];

  constructor(parts: SpendingParts) {
    this.#parts = parts;
    if (parts.caller) parts.caller.#nested.push(this);
  }

  /** Whether the run shares its budgets with others. */
  get isShared(): boolean {
    return this.#parts.caller !== undefined || this.#nested.length > 0;
  }

  /** What the nested runs have used; undefined if there were none. */
  get nested(): NestedTotals | undefined {
    if (this.#nested.length === 0) return undefined;
    return this.#nested.reduce((sum, each) => addNestedTotals(sum, each.totals), noNestedTotals);
  }

  /** What this run and its nested runs have used. */
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
    return this.#tokens >= maxTotalTokens || this.#usdLeft <= 0 || (caller?.hasSpent() ?? false);
  }

  /**
   * Whether the requests so far fit the step budgets, the one on its way included. Each caller keeps one more step for its own
   * answer than the runs that it calls.
   */
  fits(kept = 0): boolean {
    const { limits, caller } = this.#parts;
    return this.#committed + kept <= limits.stepBudget && (caller?.fits(kept + 1) ?? true);
  }

  /** What a run that starts now may use. */
  allowance(kept = 1): Allowance {
    const { limits, caller } = this.#parts;
    const own = { steps: limits.stepBudget - this.#committed - kept, usd: this.#usdLeft };
    const above = caller?.allowance(kept + 1);
    return above ? { steps: Math.min(own.steps, above.steps), usd: Math.min(own.usd, above.usd) } : own;
  }

  /** Responses that have begun, and requests that may be on their way. */
  get #committed(): number {
    const { steps, requests } = this.#parts;
    const own = steps.steps + (requests.isOpen && !steps.isOpen ? 1 : 0);
    return this.#nested.reduce((sum, each) => sum + each.#committed, own);
  }

  get #tokens(): number {
    return this.#nested.reduce((sum, each) => sum + each.#tokens, this.#parts.steps.tokens);
  }

  get #usdLeft(): number {
    const { maxCostUsd = Number.POSITIVE_INFINITY } = this.#parts.limits;
    return maxCostUsd - (this.totals.cost?.usd ?? 0);
  }
}
