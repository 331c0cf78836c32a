import { BudgetExceededError } from "@bridle/protocol";

/** The number of statements that may still be sent. */
export class StatementAllowance {
  #left: number;

  /** Undefined means any number. */
  constructor(max: number | undefined) {
    this.#left = max ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Called before each statement, or before several that belong together.
   *
   * @throws BudgetExceededError if this many statements may not be sent any more. Then none of them may be sent.
   */
  take(count = 1): void {
    if (count > this.#left) throw new BudgetExceededError("No statement may be sent any more: the budget is used up.");
    this.#left -= count;
  }
}
