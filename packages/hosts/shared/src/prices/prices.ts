/**
 * Token prices, in US dollars per million.
 *
 * Claude's prices are from platform.claude.com (models and pricing, October 2026: Sonnet 5.5 with the price of cache reads since
 * 2026-10-07, Haiku 5.5 with its second band for long prompts). OpenAI's are from developers.openai.com/api/docs/pricing (September 2026).
 * Amazon and Google set their own prices, which are not listed here. The gateway reports the cost of each request. The cost of an unlisted
 * model is unknown, never a guess.
 */
import { ConfigError, type Cost, omitUndefined, type Usage } from "@bridle/protocol";

/** US dollars per million tokens. If a request uses a kind of token without a price, the request's cost is unknown. */
export interface Price {
  input: number;
  output: number;
  cacheRead?: number | undefined;
  /** The price of cache writes with a lifetime of five minutes, and of hosts without lifetimes. */
  cacheWrite?: number | undefined;
  cacheWrite1h?: number | undefined;
  /** The prices for a whole request if its prompt, including cached tokens, has more than `above` tokens. */
  long?: { above: number; price: Price } | undefined;
}

export type PriceTable = Readonly<Record<string, Price>>;

/** The date when the prices were last compared with the sources. */
export const pricesAsOf = "2026-10-24";

const opus = claude(5, 25, 0.5);
const sonnet4 = claude(3, 15, 0.3);

export const anthropicPrices: PriceTable = {
  "claude-fable-5": claude(10, 50, 1),
  "claude-opus-5-5": claude(4, 20, 0.2),
  "claude-opus-5": opus,
  "claude-opus-4-8": opus,
  "claude-opus-4-7": opus,
  "claude-opus-4-6": opus,
  "claude-opus-4-5": opus,
  "claude-sonnet-5-5": claude(2, 10, 0.1),
  "claude-sonnet-5": claude(2, 10, 0.2),
  "claude-sonnet-4-6": sonnet4,
  "claude-sonnet-4-5": sonnet4,
  "claude-haiku-5-5": { ...claude(0.1, 0.5, 0.01), long: { above: 100_000, price: claude(0.5, 2.5, 0.05) } },
  "claude-haiku-4-5": claude(1, 5, 0.1),
};

export const openaiPrices: PriceTable = {
  "gpt-6-sol": openai({ input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 }),
  "gpt-6-luna": openai({ input: 0.1, output: 0.5, cacheRead: 0.01, cacheWrite: 0.125 }),
  "gpt-6-astra": openai({ input: 10, output: 50, cacheRead: 1 }),
};

/** Returns Claude's prices. Cache writes cost 1.25 times the input price for five minutes, and 2 times the input price for an hour. */
function claude(input: number, output: number, cacheRead: number): Price {
  return { input, output, cacheRead, cacheWrite: input * 1.25, cacheWrite1h: input * 2 };
}

/** Returns OpenAI's prices. Above 272,000 tokens, input and cached tokens cost twice as much, and output costs 1.5 times as much. */
function openai(price: Price): Price {
  const { input, output, cacheRead, cacheWrite } = price;
  const twice = (figure: number | undefined) => (figure === undefined ? undefined : figure * 2);
  const long = { input: input * 2, output: output * 1.5, cacheRead: twice(cacheRead), cacheWrite: twice(cacheWrite) };
  return { ...price, long: { above: 272_000, price: omitUndefined(long) } };
}

/** Throws a ConfigError for a price that is not a number of 0 or more. */
export function checkPrices(prices: PriceTable): void {
  for (const [model, { long, ...kinds }] of Object.entries(prices)) {
    for (const [kind, price] of Object.entries(kinds)) {
      if (price === undefined || (Number.isFinite(price) && price >= 0)) continue;
      const message = `llm.prices of ${model} for ${kind} is ${price}. Set US dollars per million tokens, from 0.`;
      throw new ConfigError(message, { field: "llm.prices" });
    }
    if (long) checkPrices({ [model]: long.price });
  }
}

/** Returns the price of a model by its id, or by its id without a date at the end. */
export function priceOf(model: string, table: PriceTable): Price | undefined {
  const undated = model.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, "");
  for (const id of [model, undated]) if (Object.hasOwn(table, id)) return table[id];
  return undefined;
}

/** The tokens of one request. `cacheWriteTokens` includes `cacheWrite1hTokens`, which live for an hour. */
export interface PricedUsage extends Usage {
  cacheWrite1hTokens: number;
}

/** Returns the cost of one request in US dollars, or `undefined` if a price is missing. */
export function costAtPrices(usage: PricedUsage, price: Price): number | undefined {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens } = usage;
  if (price.long && inputTokens + cacheReadTokens + cacheWriteTokens > price.long.above) {
    return costAtPrices(usage, price.long.price);
  }
  const parts: readonly (readonly [number, number | undefined])[] = [
    [inputTokens, price.input],
    [outputTokens, price.output],
    [cacheReadTokens, price.cacheRead],
    [cacheWriteTokens - cacheWrite1hTokens, price.cacheWrite],
    [cacheWrite1hTokens, price.cacheWrite1h],
  ];
  let usd = 0;
  for (const [tokens, each] of parts) {
    if (tokens > 0 && each === undefined) return undefined;
    usd += (tokens * (each ?? 0)) / 1_000_000;
  }
  return usd;
}

/**
 * Returns the cost of one request at the price of the first of these models with a known price; `undefined` if the cost is unknown.
 * `isEstimate` is true if a subscription pays.
 */
export function costOfUsage(
  usage: Usage,
  models: readonly string[],
  prices: PriceTable,
  isEstimate: boolean,
): Cost | undefined {
  const price = models.map((model) => priceOf(model, prices)).find((found) => found !== undefined);
  const usd = price && costAtPrices({ ...usage, cacheWrite1hTokens: 0 }, price);
  return usd === undefined ? undefined : { usd, estimate: isEstimate };
}
