import { formatDollars, formatDuration, formatShare } from "@bridle/protocol/text";

/** The units of metrics, by the unit's id in stored results. */
const units: Readonly<Record<string, (value: number) => string>> = {
  seconds: (value) => formatDuration(value * 1000),
  usd: formatDollars,
  steps: (value) => String(Math.round(value * 100) / 100),
};

/** Formats a score with its unit, as the command and the reports do: `0.83`, `1.2 s`, `$0.0123`, or a dash if there is none. */
export function formatScore(value: number | null, unit: string | null): string {
  if (value === null) return "–";
  if (unit === null) return formatShare(value);
  return units[unit]?.(value) ?? `${Math.round(value * 100) / 100} ${unit}`;
}
