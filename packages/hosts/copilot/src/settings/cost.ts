import { costOfUsage, type PriceTable } from "@bridle/host-shared";
import type { Cost, Usage } from "@bridle/protocol";

/** GitHub's price in US dollars for an AI credit that a plan does not include. */
const usdPerCredit = 0.01;

export interface Rates {
  /** The AI credits that GitHub has counted for the response. */
  readonly credits: number | undefined;
  readonly prices: PriceTable;
  /** Whether a plan pays. If it does, every cost is an estimate, because a plan includes some usage. */
  readonly isPlan: boolean;
}

/** Returns the cost of a response, or `undefined` if it is unknown. GitHub's own count takes precedence over a price. */
export function copilotCost(
  usage: Usage,
  models: readonly string[],
  { credits, prices, isPlan }: Rates,
): Cost | undefined {
  if (isPlan && credits !== undefined) return { usd: credits * usdPerCredit, estimate: true };
  return costOfUsage(usage, models, prices, isPlan);
}
