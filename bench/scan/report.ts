import type { LinkScore } from "./links.ts";
import type { MeasuredScan } from "./run-scan.ts";

const columns = [
  "wall s",
  "CPU s",
  "server CPU s",
  "peak MiB",
  "server MiB",
  "queries",
  "budget",
  "measured",
  "right",
  "wrong",
  "missed",
  "for review",
];

export function formatHead(): string {
  return `${"scan".padEnd(18)}${columns.map((column) => `  ${column}`).join("")}`;
}

export function formatScan(title: string, scan: MeasuredScan, links: LinkScore): string {
  const cells = [
    scan.seconds.toFixed(1),
    scan.cpuSeconds.toFixed(1),
    scan.serverSeconds.toFixed(1),
    mebibytes(scan.peakBytes),
    mebibytes(scan.serverBytes),
    scan.queries,
    4 * scan.tables + scan.joins + scan.review,
    scan.measured,
    links.right,
    links.wrong.length,
    links.missed.length,
    links.review,
  ];
  return `${title.padEnd(18)}${cells.map((cell, at) => `  ${String(cell).padStart(columns[at]?.length ?? 0)}`).join("")}`;
}

/** Prints the progress as the user sees it: when each phase ended, and the longest time without a report. */
export function formatPhases({ phases, problems }: MeasuredScan): string {
  const lines = Object.entries(phases).map(
    ([name, { endMs, cpuMs, reports, maxMs, last, peakBytes, blockedMs, blockedCpuMs }]) =>
      `  ${name}: until ${seconds(endMs)} s (CPU ${seconds(cpuMs)} s), ${reports} reports, the longest pause ${seconds(maxMs)} s, last ${last}, at most ${mebibytes(peakBytes)} MiB, the event loop blocked for up to ${Math.round(blockedMs)} ms (CPU ${Math.round(blockedCpuMs)} ms)`,
  );
  return [...lines, ...problems.slice(0, 3).map((problem) => `  ${problem}`)].join("\n");
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}

function mebibytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}
