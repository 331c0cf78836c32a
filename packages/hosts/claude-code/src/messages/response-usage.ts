/** Counts the tokens of one response, and computes their cost at list prices. */
import { anthropicPrices, costAtPrices, priceOf } from "@bridle/host-shared";
import { type Cost, noUsage, type Usage } from "@bridle/protocol";
import { isSubscription } from "../auth/auth-modes.ts";
import type { ClaudeAuthMode } from "../options.ts";
import type { WireUsage } from "./messages.ts";

/** `hourlyWrites` counts the cache writes with a lifetime of one hour. Undefined if the host does not report lifetimes. */
export interface ResponseUsage {
  readonly usage: Usage;
  readonly hourlyWrites: number | undefined;
}

export const noResponseUsage: ResponseUsage = { usage: noUsage, hourlyWrites: 0 };

type Reported = { [K in keyof WireUsage]?: WireUsage[K] | undefined };

/** Updates the tokens from the host's report. Fields that are missing or 0 keep the values of the earlier report. */
export function readUsage(reported: Reported | null | undefined, earlier = noResponseUsage): ResponseUsage {
  const { usage } = earlier;
  const cacheWriteTokens = reported?.cache_creation_input_tokens || usage.cacheWriteTokens;
  const hourly = reported?.cache_creation?.ephemeral_1h_input_tokens;
  return {
    usage: {
      inputTokens: reported?.input_tokens || usage.inputTokens,
      outputTokens: reported?.output_tokens || usage.outputTokens,
      cacheReadTokens: reported?.cache_read_input_tokens || usage.cacheReadTokens,
      cacheWriteTokens,
    },
    hourlyWrites: hourly ?? (cacheWriteTokens === usage.cacheWriteTokens ? earlier.hourlyWrites : undefined),
  };
}

/**
 * Returns the cost of a response, for a run that ends before the host reports its own figure. Undefined if the price is not known, for
 * example because a cloud provider sets its own price.
 */
export function responseCost(
  { usage, hourlyWrites }: ResponseUsage,
  model: string,
  auth: ClaudeAuthMode,
): Cost | undefined {
  const price = listPriced.includes(auth) ? priceOf(model, anthropicPrices) : undefined;
  if (price === undefined || hourlyWrites === undefined) return undefined;
  const usd = costAtPrices({ ...usage, cacheWrite1hTokens: Math.min(hourlyWrites, usage.cacheWriteTokens) }, price);
  return usd === undefined ? undefined : { usd, estimate: isSubscription(auth) };
}

const listPriced: readonly ClaudeAuthMode[] = ["session", "oauth_token", "api_key"];
