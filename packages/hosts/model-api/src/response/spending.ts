/** What a turn has used so far, in tokens and dollars. */
import type { LanguageModelV4Usage, SharedV4ProviderMetadata } from "@ai-sdk/provider";
import { addUsage, type BackendEvent, noUsage, UnsupportedFeatureError, type Usage } from "@bridle/protocol";
import type { PriceTable } from "../models/prices.ts";
import { toUsage, usdOfRequest } from "./usage.ts";

interface Counted {
  usage: LanguageModelV4Usage;
  providerMetadata?: SharedV4ProviderMetadata | undefined;
  model?: string;
}

export interface Spending {
  /** Counts one response, and gives its tokens. */
  add(response: Counted): Usage;
  /** US dollars, or undefined once a request cost an unknown amount. */
  readonly usd: number | undefined;
  /** The report of all that was counted; undefined for nothing. */
  report(): BackendEvent | undefined;
}

/** The error for a budget in dollars that cannot be kept. */
export function unpriced(backend: string, model: string): UnsupportedFeatureError {
  const remedy = "Give it with the option prices, or use maxTotalTokens instead of maxCostUsd.";
  const feature = `price for all that the model ${model} used, so that it could keep a cost budget`;
  return new UnsupportedFeatureError(backend, feature, remedy);
}

export interface SpendingParts {
  model: string;
  cacheTtl: "5m" | "1h" | undefined;
  prices: PriceTable;
  contextWindow?: number | undefined;
}

export function createSpending({ model, cacheTtl, prices, contextWindow }: SpendingParts): Spending {
  let usage = noUsage;
  let usd: number | undefined = 0;
  let count = 0;
  return {
    add(response) {
      const models = [response.model ?? model, model];
      const cost = usdOfRequest({ ...response, models, cacheTtl }, prices);
      usd = usd === undefined || cost === undefined ? undefined : usd + cost;
      const used = toUsage(response.usage);
      usage = addUsage(usage, used);
      count += 1;
      return used;
    },
    get usd() {
      return usd;
    },
    report: () =>
      count === 0
        ? undefined
        : {
            ...{ type: "usage.reported", usage },
            ...(usd === undefined ? {} : { cost: { usd, estimate: false } }),
            ...(contextWindow === undefined ? {} : { contextWindow }),
          },
  };
}
