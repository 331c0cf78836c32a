import { z } from "zod";

/** The tokens of one or more model requests. `inputTokens` excludes tokens read from or written to a cache. */
export const usageSchema = z.strictObject({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheWriteTokens: z.number(),
});
export type Usage = z.infer<typeof usageSchema>;

/**
 * A cost in US dollars. `estimate` is true if the amount is not billed, as with a subscription. `partial` is set if
 * `usd` is only the known part, because the cost of other requests is unknown. If nothing is known, the whole cost is
 * missing, never 0.
 */
export const costSchema = z.strictObject({
  usd: z.number(),
  estimate: z.boolean(),
  partial: z.literal(true).optional(),
});
export type Cost = z.infer<typeof costSchema>;

/** No cost: the start value for a sum of costs. */
export const noCost: Cost = { usd: 0, estimate: false };

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  return combine(a, b, (x, y) => x + y);
}

/** Returns `total - previous`, but never below zero, because a host may lose count. */
export function usageSince(total: Usage, previous: Usage): Usage {
  return combine(total, previous, (x, y) => Math.max(0, x - y));
}

export function totalTokens(usage: Usage): number {
  return usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
}

/** Adds two costs. `undefined` stands for an unknown cost. Begin a sum with `noCost`. */
export function addCost(a: Cost | undefined, b: Cost | undefined): Cost | undefined {
  const estimate = Boolean(a?.estimate || b?.estimate);
  const sum = { usd: roundUsd((a?.usd ?? 0) + (b?.usd ?? 0)), estimate };
  return a && b && !a.partial && !b.partial ? sum : partialCost(sum);
}

/** Returns the cost, marked as the known part of a larger cost. `undefined` if no part is known. */
export function partialCost(cost: Cost | undefined): Cost | undefined {
  return cost && cost.usd > 0 ? { ...cost, partial: true } : undefined;
}

/** Rounds to ten decimals. A token costs more than that, and further digits are rounding errors. */
function roundUsd(usd: number): number {
  return Math.round(usd * 1e10) / 1e10;
}

/**
 * Turns running totals into differences. Some hosts, such as the Claude Agent SDK, report the totals of their process; the first turn would
 * count twice as soon as a conversation has a second turn.
 *
 * @example
 * const measure = createUsageMeter();
 * context.emit({ type: "usage.reported", usage: measure(total, totalUsd).usage });
 */
export function createUsageMeter(): (total: Usage, totalUsd: number) => { usage: Usage; usd: number } {
  let seen = noUsage;
  let seenUsd = 0;
  return (total, totalUsd) => {
    const delta = { usage: usageSince(total, seen), usd: roundUsd(Math.max(0, totalUsd - seenUsd)) };
    seen = total;
    seenUsd = totalUsd;
    return delta;
  };
}

function combine(a: Usage, b: Usage, operation: (x: number, y: number) => number): Usage {
  return {
    inputTokens: operation(a.inputTokens, b.inputTokens),
    outputTokens: operation(a.outputTokens, b.outputTokens),
    cacheReadTokens: operation(a.cacheReadTokens, b.cacheReadTokens),
    cacheWriteTokens: operation(a.cacheWriteTokens, b.cacheWriteTokens),
  };
}
