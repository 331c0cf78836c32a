import type { AgentSettings } from "@bridle/agent";
import { formatPosition } from "@bridle/protocol";

/**
 * Returns how many runs the account may have at once: one for each parallel trial, unless the project or the caller sets a limit. The limit
 * includes both trials and judges.
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
