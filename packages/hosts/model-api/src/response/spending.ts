/** Sums the tokens and US dollars that a turn has used so far. */
import type { LanguageModelV4Usage, SharedV4ProviderMetadata } from "@ai-sdk/provider";
import type { PriceTable } from "@bridle/host-shared";
import {
  addCost,
  addUsage,
  type BackendEvent,
  type Cost,
  noCost,
  noUsage,
  omitUndefined,
  partialCost,
  UnsupportedFeatureError,
  type Usage,
} from "@bridle/protocol";
import { requestCost, toBridleUsage } from "./usage.ts";

interface CountedResponse {
  usage: LanguageModelV4Usage;
  providerMetadata: SharedV4ProviderMetadata | undefined;
  model: string | undefined;
}

/** A response that broke off. `firstUsage` is missing if the host reports tokens only at the end. */
interface BrokenResponse {
  readonly firstUsage: LanguageModelV4Usage | undefined;
  readonly model: string | undefined;
}

/** Tokens and their cost; `cost` is missing if it is not known. */
interface Spent {
  readonly usage: Usage;
  readonly cost?: Cost | undefined;
}

export interface SpendingOptions {
  model: string;
  cacheTtl: "5m" | "1h" | undefined;
  prices: PriceTable;
  contextWindow: number | undefined;
}

const nothing: Spent = { usage: noUsage, cost: noCost };

function add(a: Spent, b: Spent): Spent {
  return { usage: addUsage(a.usage, b.usage), cost: addCost(a.cost, b.cost) };
}

export class Spending {
  readonly #options: SpendingOptions;
  #total = nothing;
  #step = nothing;
  #hasPrices = true;
  #count = 0;

  constructor(options: SpendingOptions) {
    this.#options = options;
  }

  /** The US dollars of all complete responses; `undefined` once the price of a response is not known. */
  get usd(): number | undefined {
    return this.#hasPrices ? (this.#total.cost?.usd ?? 0) : undefined;
  }

  /** Adds one response. */
  add(response: CountedResponse): void {
    const usd = this.#priceOf(response);
    if (usd === undefined) this.#hasPrices = false;
    const spent = { usage: toBridleUsage(response.usage), cost: toCost(usd) };
    this.#step = add(this.#step, spent);
    this.#addToTotal(spent);
  }

  /** Adds a response that broke off, with the usage of its prompt and a partial cost. Returns the values that are known. */
  addBroken({ firstUsage: usage, model }: BrokenResponse): Partial<Spent> {
    if (usage === undefined) {
      this.#addToTotal({ usage: noUsage });
      return {};
    }
    const usd = this.#priceOf({ usage, model, providerMetadata: undefined });
    const spent = { usage: toBridleUsage(usage), cost: partialCost(toCost(usd)) };
    this.#addToTotal(spent);
    return spent;
  }

  /** Returns the sums of the responses since the last call, without those that broke off. */
  takeStep(): Spent {
    const step = this.#step;
    this.#step = nothing;
    return step;
  }

  /** Returns the event with the sums; `undefined` before the first response. */
  report(): BackendEvent | undefined {
    if (this.#count === 0) return undefined;
    const { contextWindow } = this.#options;
    return omitUndefined({ type: "usage.reported" as const, ...this.#total, contextWindow });
  }

  #addToTotal(spent: Spent): void {
    this.#total = add(this.#total, spent);
    this.#count += 1;
  }

  #priceOf(response: CountedResponse): number | undefined {
    const { model, cacheTtl, prices } = this.#options;
    return requestCost({ ...response, models: [response.model ?? model, model], cacheTtl }, prices);
  }
}

function toCost(usd: number | undefined): Cost | undefined {
  return usd === undefined ? undefined : { usd, estimate: false };
}

/** Returns the error for a budget in US dollars that cannot be enforced. */
export function missingPriceError(backend: string, model: string): UnsupportedFeatureError {
  const remedy = "Set it with the option prices, or use maxTotalTokens instead of maxCostUsd.";
  return new UnsupportedFeatureError(backend, `complete price for the model ${model}, which maxCostUsd needs`, remedy);
}
