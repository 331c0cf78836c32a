/** The tokens and US dollars that a turn has used so far. */
import type { LanguageModelV4Usage, SharedV4ProviderMetadata } from "@ai-sdk/provider";
import {
  addUsage,
  type BackendEvent,
  noUsage,
  omitUndefined,
  UnsupportedFeatureError,
  type Usage,
} from "@bridle/protocol";
import type { PriceTable } from "../models/prices.ts";
import { requestCost, toBridleUsage } from "./usage.ts";

interface CountedResponse {
  usage: LanguageModelV4Usage;
  providerMetadata: SharedV4ProviderMetadata | undefined;
  model: string | undefined;
}

export interface SpendingOptions {
  model: string;
  cacheTtl: "5m" | "1h" | undefined;
  prices: PriceTable;
  contextWindow: number | undefined;
}

export class Spending {
  readonly #options: SpendingOptions;
  #usage = noUsage;
  #usd: number | undefined = 0;
  #count = 0;

  constructor(options: SpendingOptions) {
    this.#options = options;
  }

  /** US dollars; `undefined` once the cost of a request is unknown. */
  get usd(): number | undefined {
    return this.#usd;
  }

  /** Adds one response, and returns its tokens. */
  add(response: CountedResponse): Usage {
    const { model, cacheTtl, prices } = this.#options;
    const models = [response.model ?? model, model];
    const cost = requestCost({ ...response, models, cacheTtl }, prices);
    this.#usd = this.#usd === undefined || cost === undefined ? undefined : this.#usd + cost;
    const used = toBridleUsage(response.usage);
    this.#usage = addUsage(this.#usage, used);
    this.#count += 1;
    return used;
  }

  /** The event with the sums; `undefined` before the first response. */
  report(): BackendEvent | undefined {
    if (this.#count === 0) return undefined;
    const cost = this.#usd === undefined ? undefined : { usd: this.#usd, estimate: false };
    const { contextWindow } = this.#options;
    return omitUndefined({ type: "usage.reported" as const, usage: this.#usage, cost, contextWindow });
  }
}

/** The error for a budget in US dollars that cannot be enforced. */
export function missingPriceError(backend: string, model: string): UnsupportedFeatureError {
  const remedy = "Set it with the option prices, or use maxTotalTokens instead of maxCostUsd.";
  return new UnsupportedFeatureError(backend, `complete price for the model ${model}, which maxCostUsd needs`, remedy);
}
