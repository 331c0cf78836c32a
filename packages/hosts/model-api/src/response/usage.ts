/** Converts a provider's token counts to Bridle's. */
import type { LanguageModelV4StreamPart, LanguageModelV4Usage, SharedV4ProviderMetadata } from "@ai-sdk/provider";
import { costAtPrices, type PricedUsage, type PriceTable, priceOf } from "@bridle/host-shared";
import type { Usage } from "@bridle/protocol";
import { z } from "zod";

/** Converts usage. `inputTokens` excludes tokens that were read from or written to a cache. `outputTokens` includes reasoning. */
export function toBridleUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage {
  const cacheReadTokens = atLeastZero(inputTokens.cacheRead);
  const cacheWriteTokens = atLeastZero(inputTokens.cacheWrite);
  const uncached = atLeastZero(inputTokens.total) - cacheReadTokens - cacheWriteTokens;
  return {
    inputTokens: atLeastZero(inputTokens.noCache ?? uncached),
    outputTokens: atLeastZero(outputTokens.total),
    cacheReadTokens,
    cacheWriteTokens,
  };
}

/**
 * Returns the number, or 0 if it is negative: some hosts report more cached tokens than tokens in total, and the modules subtract the
 * cached ones from the total.
 */
function atLeastZero(tokens: number | undefined): number {
  return Math.max(0, tokens ?? 0);
}

/** The part type with which the modules for Anthropic's protocol pass on the beginning of an answer. */
export const messageStart = "anthropic.message_start";

const count = z
  .number()
  .nullish()
  .transform((tokens) => tokens ?? 0);
const anthropicTokens = z.looseObject({
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
});
const firstUsage = z.object({ anthropic: z.object({ usage: anthropicTokens }) });
const rawStart = z.object({ type: z.literal("message_start"), message: z.object({ usage: anthropicTokens }) });

/** Returns the tokens that the beginning of an answer reports. If the answer breaks off, no other tokens are known. */
export function readFirstUsage({
  kind,
  providerMetadata,
}: Extract<LanguageModelV4StreamPart, { type: "custom" }>): LanguageModelV4Usage | undefined {
  const parsed = kind === messageStart ? firstUsage.safeParse(providerMetadata) : undefined;
  return parsed?.success ? toFirstUsage(parsed.data.anthropic.usage) : undefined;
}

/** Like `readFirstUsage`, from a raw part of Anthropic's protocol. */
export function readRawUsage(rawValue: unknown): LanguageModelV4Usage | undefined {
  const parsed = rawStart.safeParse(rawValue);
  return parsed.success ? toFirstUsage(parsed.data.message.usage) : undefined;
}

function toFirstUsage(usage: z.infer<typeof anthropicTokens>): LanguageModelV4Usage {
  const [noCache, cacheRead] = [usage.input_tokens, usage.cache_read_input_tokens];
  const cacheWrite = usage.cache_creation_input_tokens;
  return {
    inputTokens: { total: noCache + cacheRead + cacheWrite, noCache, cacheRead, cacheWrite },
    outputTokens: { total: usage.output_tokens, text: undefined, reasoning: undefined },
    raw: usage as NonNullable<LanguageModelV4Usage["raw"]>,
  };
}

/** The facts that determine the cost of one request. */
export interface ChargedRequest {
  usage: LanguageModelV4Usage;
  providerMetadata?: SharedV4ProviderMetadata | undefined;
  /** Model ids that may have a price, best first: that of the model that answered, then that of the requested model. */
  models: readonly string[];
  /** The lifetime that all cache marks of the request share; undefined if they differ. */
  cacheTtl: "5m" | "1h" | undefined;
}

/** Returns the cost in US dollars: the host's own figure, or else one from the price table; `undefined` if neither is known. */
export function requestCost(
  { usage, providerMetadata, models, cacheTtl }: ChargedRequest,
  table: PriceTable,
): number | undefined {
  const reported = gatewayCost.safeParse(providerMetadata);
  if (reported.success) return reported.data.gateway.cost;
  const cacheWrite1hTokens = hourlyCacheWrites(usage, cacheTtl);
  const price = models.map((model) => priceOf(model, table)).find((found) => found !== undefined);
  if (price === undefined || cacheWrite1hTokens === undefined) return undefined;
  const priced: PricedUsage = { ...toBridleUsage(usage), cacheWrite1hTokens };
  return costAtPrices(priced, price);
}

/** An amount. The AI Gateway reports the cost of a request in US dollars, as text. */
const amount = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d+(\.\d+)?(e-?\d+)?$/i)
    .transform(Number),
]);
const gatewayCost = z.object({ gateway: z.object({ cost: amount.pipe(z.number().nonnegative()) }) });

const anthropicUsage = z.object({ cache_creation: z.object({ ephemeral_1h_input_tokens: z.number() }) });

/** Returns the number of tokens written to a cache for an hour; `undefined` if that cannot be known. */
function hourlyCacheWrites(usage: LanguageModelV4Usage, ttl: ChargedRequest["cacheTtl"]): number | undefined {
  const { cacheWriteTokens } = toBridleUsage(usage);
  const reported = anthropicUsage.safeParse(usage.raw);
  if (reported.success) return Math.min(reported.data.cache_creation.ephemeral_1h_input_tokens, cacheWriteTokens);
  if (cacheWriteTokens === 0 || ttl === "5m") return 0;
  return ttl === "1h" ? cacheWriteTokens : undefined;
}
