import type { IngestProgress } from "@bridle/app/ingest";
import { counted, formatCount, formatDollars, formatDuration } from "@bridle/protocol";
import { estimateAfterMs } from "../../../terminal/progress-line.ts";

const stages: Readonly<Record<IngestProgress["stage"], string>> = {
  fetch: "sources read",
  project: "sources parsed",
  triage: "passages sorted",
  light: "passages read",
  unit: "documents worked through",
  verify: "checks of wordings and conflicts",
  apply: "comparing facts and writing files",
};

/** Formats the progress: `10 of 40 passages sorted (fares.md); 12 calls, 30,412 tokens, $0.12; about 1 min 30 s left` */
export function formatIngestProgress(progress: IngestProgress, elapsedMs: number): string {
  const { stage, unit, done, total, calls, tokens, costUsd, remainingMs } = progress;
  const isCounted = stage !== "apply" && total > 0;
  const count = isCounted ? `${formatCount(done)} of ${formatCount(total)} ` : "";
  const asked = calls > 0 ? [`${counted(calls, "call")}, ${counted(tokens, "token")}, ${formatDollars(costUsd)}`] : [];
  const isKnown = remainingMs !== undefined && remainingMs > 0 && elapsedMs >= estimateAfterMs;
  return [
    `${count}${stages[stage]}${unit === undefined ? "" : ` (${unit})`}`,
    ...asked,
    ...(isKnown ? [`about ${formatDuration(remainingMs)} left`] : []),
  ].join("; ");
}
