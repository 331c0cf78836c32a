import { BudgetExceededError } from "@bridle/protocol";

/** Counts how many statements may still be sent. */
export class StatementAllowance {
  #left: number;

  /** Creates an allowance. Undefined means any number. */
  constructor(max: number | undefined) {
    this.#left = max ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Called before each statement, or before several that belong together.
   *
   * @throws BudgetExceededError if fewer statements may still be sent. In that case, send none of them.
   */
  take(count = 1): void {
    if (count > this.#left) throw new BudgetExceededError("No statement may be sent any more: the budget is used up.");
    this.#left -= count;
  }
}
