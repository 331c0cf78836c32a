import { formatDollars, formatDuration, formatShare } from "@bridle/protocol/text";

/** The units of metrics, by the word that results store. */
const units: Readonly<Record<string, (value: number) => string>> = {
  seconds: (value) => formatDuration(value * 1000),
  usd: formatDollars,
  steps: (value) => String(Math.round(value * 100) / 100),
};

/** Formats a score with its unit, like the command and the reports: `0.83`, `1.2 s`, `$0.0123`, or a dash if it is missing. */
export function formatScore(value: number | null, unit: string | null): string {
  if (value === null) return "–";
  if (unit === null) return formatShare(value);
  return units[unit]?.(value) ?? `${Math.round(value * 100) / 100} ${unit}`;
}
