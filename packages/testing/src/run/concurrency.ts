import type { AgentSettings } from "@bridle/agent";
import { formatPosition } from "@bridle/protocol";

/**
 * The number of concurrent runs of the account: one for each parallel trial, unless the project or the caller sets a limit.
 * The limit counts trials and judges together.
 */
export function concurrencyOf(
  parallel: number,
  { limits, positions }: Pick<AgentSettings, "limits" | "positions">,
): { maxConcurrency: number; warnings: string[] } {
  const { maxConcurrency } = limits;
  if (maxConcurrency === undefined) return { maxConcurrency: parallel, warnings: [] };
  if (maxConcurrency >= parallel) return { maxConcurrency, warnings: [] };
  const position = positions["llm.limits.maxConcurrency"];
  const where =
    position === undefined ? "limits.maxConcurrency" : `llm.limits.maxConcurrency (${formatPosition(position)})`;
  const runs = maxConcurrency === 1 ? "one run is" : `${maxConcurrency} runs are`;
  const warning = `${where} is ${maxConcurrency}, so ${runs} active at a time, not ${parallel}. Raise it, or set a lower number of parallel trials.`;
  return { maxConcurrency, warnings: [warning] };
}
