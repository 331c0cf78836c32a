import type { TestRun } from "@bridle/app/tests";
import { counted, formatCost, formatCount, formatDuration, totalTokens } from "@bridle/protocol";

/** Formats the time, tokens and cost of a test run: `in 2.3 s, 4,210 tokens (1,200 of judges), $0.0123`. */
export function formatSpent({ durationMs, summary }: Pick<TestRun, "durationMs" | "summary">): string {
  const { usage, cost, judges } = summary;
  const ofJudges = totalTokens(judges.usage);
  const judged = ofJudges === 0 ? "" : ` (${formatCount(ofJudges)} of judges)`;
  return [
    `in ${formatDuration(durationMs)}`,
    ...(totalTokens(usage) === 0 ? [] : [`${counted(totalTokens(usage), "token")}${judged}`]),
    ...(cost === null ? [] : [formatCost(cost)]),
  ].join(", ");
}
