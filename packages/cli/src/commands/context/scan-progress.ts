import type { ConnectionProgress } from "@bridle/app/warehouses";
import { formatCount, formatDuration } from "@bridle/protocol";
import { estimateAfterMs } from "../../terminal/progress-line.ts";

const phases: Readonly<Record<ConnectionProgress["phase"], string>> = {
  structure: "steps of reading the structure",
  tables: "tables",
  columns: "columns compared",
  scores: "steps of scoring",
  links: "steps of checking links",
  joins: "questions about joins",
  storing: "storing",
  descriptions: "tables described",
};

/** Formats the progress: `shop: 10 of 2,000 tables, about 1 min 30 s left` */
export function formatScanProgress(progress: ConnectionProgress, elapsedMs: number): string {
  const { connection, phase, done, total, remainingMs } = progress;
  const isCounted = phase === "structure" ? total !== undefined : phase !== "storing";
  if (phase === "structure" && total === undefined) return `${connection}: reading the structure`;
  const count = isCounted ? `${formatCount(done)}${total === undefined ? "" : ` of ${formatCount(total)}`} ` : "";
  const isEarly = remainingMs === undefined || elapsedMs < estimateAfterMs;
  return `${connection}: ${count}${phases[phase]}${isEarly ? "" : `, about ${formatDuration(remainingMs)} left`}`;
}
