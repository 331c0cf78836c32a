/** From a provider's count of tokens to ours. */
import type { LanguageModelV4Usage, SharedV4ProviderMetadata } from "@ai-sdk/provider";
import type { Usage } from "@bridle/protocol";
import { z } from "zod";
import { type PricedUsage, type PriceTable, priceOf, usdOf } from "../models/prices.ts";

/** `inputTokens` leaves out what was read from or written to a cache; output includes reasoning. */
export function toUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage {
  const cacheReadTokens = counted(inputTokens.cacheRead);
  const cacheWriteTokens = counted(inputTokens.cacheWrite);
  const rest = counted(inputTokens.total) - cacheReadTokens - cacheWriteTokens;
  return {
    inputTokens: counted(inputTokens.noCache ?? rest),
    outputTokens: counted(outputTokens.total),
    cacheReadTokens,
    cacheWriteTokens,
  };
}

/** Hosts miscount: some give more tokens of a cache than in all, which the modules subtract. */
function counted(tokens: number | undefined): number {
  return Math.max(0, tokens ?? 0);
}

/** One request as it is priced. */
export interface Charged {
  usage: LanguageModelV4Usage;
  providerMetadata?: SharedV4ProviderMetadata | undefined;
  /** Ids under which the model may have a price: the one that answered, the one that was asked. */
  models: readonly string[];
  /** The lifetime of all marks in the request, where they have one in common. */
  cacheTtl: "5m" | "1h" | undefined;
}

/** US dollars: what the host says, else by the table; undefined where neither knows. */
export function usdOfRequest({ usage, providerMetadata, models, cacheTtl }: Charged, table: PriceTable) {
  const told = gatewayCost.safeParse(providerMetadata);
  if (told.success) return told.data.gateway.cost;
  const written = writtenForAnHour(usage, cacheTtl);
  const price = models.map((model) => priceOf(model, table)).find((found) => found !== undefined);
  if (price === undefined || written === undefined) return undefined;
  const priced: PricedUsage = { ...toUsage(usage), cacheWrite1hTokens: written };
  return usdOf(priced, price);
}

/** The AI Gateway says what a request cost, in dollars as text. */
const amount = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d+(\.\d+)?(e-?\d+)?$/i)
    .transform(Number),
]);
const gatewayCost = z.object({ gateway: z.object({ cost: amount.pipe(z.number().nonnegative()) }) });

const anthropicUsage = z.object({ cache_creation: z.object({ ephemeral_1h_input_tokens: z.number() }) });

function writtenForAnHour(usage: LanguageModelV4Usage, ttl: Charged["cacheTtl"]): number | undefined {
  const { cacheWriteTokens } = toUsage(usage);
  const told = anthropicUsage.safeParse(usage.raw);
  if (told.success) return Math.min(told.data.cache_creation.ephemeral_1h_input_tokens, cacheWriteTokens);
  if (cacheWriteTokens === 0 || ttl === "5m") return 0;
  return ttl === "1h" ? cacheWriteTokens : undefined;
}
