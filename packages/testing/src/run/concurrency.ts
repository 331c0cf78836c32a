import type { AgentSettings } from "@bridle/agent";
import { formatPosition } from "@bridle/protocol";

/**
 * How many runs the account may have at a time: as many as there are trials, unless the project or the caller set a limit,
 * which then holds for trials and judges together.
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
  const runs = maxConcurrency === 1 ? "one run goes" : `${maxConcurrency} runs go`;
  const warning = `${where} is ${maxConcurrency}, so ${runs} on at a time, though ${parallel} trials may. Raise it, or test fewer at a time.`;
  return { maxConcurrency, warnings: [warning] };
}
