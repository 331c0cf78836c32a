import { estimateReplyTokens } from "@bridle/context";
import {
  addUsage,
  type BridleError,
  BudgetExceededError,
  ConfigError,
  formatDollars,
  isBridleError,
  noUsage,
  type UsageLimitError,
} from "@bridle/protocol";
import { z } from "zod";
import type { CallUse, IngestModels, IngestRole, LoopCall, LoopEnd, ObjectCall, TokenPrice } from "./ingest-models.ts";
import { IngestSpending, type IngestSpendingOptions, type Reservation } from "./spending.ts";

export interface MeteredModelsOptions extends Omit<IngestSpendingOptions, "priceOf"> {
  /** Returns the average price of a model in earlier runs, in US dollars per token. */
  readonly costPerToken: (model: string) => TokenPrice | undefined;
  /** How many calls may be in progress. A loop reserves a corresponding part of the budget. */
  readonly concurrency: number;
  /** Whether every call is refused. Default: false. */
  readonly asksNothing?: boolean | undefined;
  /** Called after each call. */
  onCall?(): void;
}

/** The number of tokens that a host adds to a request. */
const addedTokens = 400;
/** The usual number of responses in a loop. */
const usualSteps = 6;

/**
 * Counts model calls. A call starts only if the budget covers it and no usage window is used up. After a window is used up, every later
 * call rejects with the same error.
 */
export class MeteredModels implements IngestModels {
  readonly spending: IngestSpending;
  readonly #models: IngestModels;
  readonly #options: MeteredModelsOptions;
  #limit: UsageLimitError | undefined;
  #isOverBudget = false;
  /** Resolves when the call that probes an unknown price has ended. */
  #probing: Promise<void> | undefined;

  constructor(models: IngestModels, options: MeteredModelsOptions) {
    this.#models = models;
    this.#options = options;
    const priceOf = (role: IngestRole) => models.priceOf?.(role) ?? options.costPerToken(models.modelOf(role));
    this.spending = new IngestSpending({ ...options, priceOf });
  }

  /** The error about the usage window that is used up. */
  get limit(): UsageLimitError | undefined {
    return this.#limit;
  }

  /** Whether a call was not started because of the budget. */
  get isOverBudget(): boolean {
    return this.#isOverBudget;
  }

  modelOf(role: IngestRole): string {
    return this.#models.modelOf(role);
  }

  async object<T>(call: ObjectCall<T>): Promise<{ readonly object: T } & CallUse> {
    const input = estimateReplyTokens(call.system + call.prompt) + schemaTokens(call.schema) + addedTokens;
    const reservation = await this.#reserve(call, { input, output: call.expectedOutputTokens ?? 1000 });
    try {
      const answer = await this.#models.object(call);
      this.#end(reservation, answer);
      return answer;
    } catch (error) {
      this.#end(reservation, useOf(error), error);
      throw error;
    }
  }

  async loop(call: LoopCall): Promise<LoopEnd> {
    const first = estimateReplyTokens(call.system + call.prompt) + call.tools.length * 150 + addedTokens;
    const steps = Math.min(call.stepBudget, usualSteps);
    const expected = { input: first * steps + 500 * steps * steps, output: (call.expectedOutputTokens ?? 1000) * 1 };
    const reservation = await this.#reserve(call, expected, true);
    try {
      const end = await this.#models.loop({ ...call, maxCostUsd: reservation.usd });
      this.#end(reservation, end, end.error);
      return end;
    } catch (error) {
      this.#end(reservation, useOf(error), error);
      throw error;
    }
  }

  /** Reserves dollars for a call. Rejects if a window is used up or the budget does not suffice. */
  async #reserve(
    call: Pick<LoopCall, "role" | "stage" | "signal">,
    expected: Reservation["expected"],
    isLoop = false,
  ): Promise<Reservation> {
    const { role, stage, signal } = call;
    for (;;) {
      signal.throwIfAborted();
      if (this.#options.asksNothing) throw new BudgetExceededError("This run asks no model. The next ingest does.");
      if (this.#limit !== undefined) throw this.#limit;
      const free = this.spending.freeUsd;
      if (free === undefined) return this.spending.begin(role, stage, expected, undefined);
      if (this.spending.hasUnknownCost) throw unknownCost(this.modelOf(role));
      const estimate = this.spending.estimate(role, stage, expected);
      if (estimate !== undefined) return this.#take({ role, stage, expected, free, estimate, isLoop });
      if (this.#probing === undefined) return this.#probe(role, stage, expected, free);
      await this.#probing;
    }
  }

  #take(wanted: {
    readonly role: IngestRole;
    readonly stage: string;
    readonly expected: Reservation["expected"];
    readonly free: number;
    readonly estimate: number;
    readonly isLoop: boolean;
  }): Reservation {
    const { role, stage, expected, free, estimate, isLoop } = wanted;
    if (estimate > free) {
      this.#isOverBudget = true;
      throw overBudget(this.#options.budgetUsd ?? 0, free, estimate);
    }
    const share = isLoop ? Math.max(estimate, free / this.#options.concurrency) : estimate;
    return this.spending.begin(role, stage, expected, share);
  }

  /**
   * Reserves the whole budget for the first call to a model whose price is unknown. No other call starts until the cost of that call is
   * known.
   */
  #probe(role: IngestRole, stage: string, expected: Reservation["expected"], free: number): Reservation {
    if (free <= 0) throw overBudget(this.#options.budgetUsd ?? 0, free, 0);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#probing = promise;
    this.#endProbe = () => {
      this.#probing = undefined;
      resolve();
    };
    return this.spending.begin(role, stage, expected, free);
  }

  #endProbe = (): void => {};

  #end(reservation: Reservation, use: CallUse, error?: unknown): void {
    this.spending.end(reservation, use, error !== undefined);
    if (isWindowUsedUp(error)) this.#limit ??= error;
    this.#endProbe();
    this.#options.onCall?.();
  }
}

export function isWindowUsedUp(error: unknown): error is UsageLimitError {
  return isBridleError(error) && error.code === "usage_limit";
}

/** Throws the error of a call if the error ends the run, that is, if a retry would fail, too. */
export function throwIfFinal(error: unknown): asserts error is BridleError {
  if (!isBridleError(error) || error.code === "config" || error.code === "authentication") throw error;
}

function schemaTokens(schema: z.ZodType): number {
  return Math.ceil(JSON.stringify(z.toJSONSchema(schema, { io: "input" })).length / 3);
}

/** Returns the usage and cost of a failed call, as reported by its error. */
function useOf(error: unknown): CallUse {
  if (!isBridleError(error)) return { usage: noUsage };
  const { usage = noUsage, cost } = error;
  return { usage: addUsage(noUsage, usage), costUsd: cost?.usd };
}

function overBudget(budget: number, free: number, estimate: number): BudgetExceededError {
  return new BudgetExceededError(
    `Of the budget of ${formatDollars(budget)}, ${formatDollars(free)} are left, and the next call may cost ${formatDollars(estimate)}. Raise the budget to continue.`,
  );
}

function unknownCost(model: string): ConfigError {
  return new ConfigError(
    `The cost of calls of ${model} is not known, so no budget can be kept. Set its price in llm.prices, or leave the budget out.`,
    { field: "llm.prices" },
  );
}
