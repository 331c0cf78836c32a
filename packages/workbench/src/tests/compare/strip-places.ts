/** The value of a metric before and after, from the comparison. */
export interface ComparedFigures {
  readonly before: number | null;
  readonly after: number | null;
  /** The 95 % confidence interval of the change. */
  readonly interval: { readonly low: number; readonly high: number } | null;
}

/** Positions on a strip, from 0 to 1. */
export interface StripPlaces {
  readonly before: number;
  readonly after: number;
  /** The confidence interval of the value after the change. Undefined if it is unknown. */
  readonly spread: { readonly from: number; readonly to: number } | undefined;
}

/**
 * Returns the positions of a metric's values on a strip that begins at zero. The strip of a share ends at 1. Undefined unless both values
 * exist.
 */
export function placeOnStrip({ before, after, interval }: ComparedFigures, isShare: boolean): StripPlaces | undefined {
  if (before === null || after === null) return undefined;
  const spread = interval && { from: before + interval.low, to: before + interval.high };
  const end = Math.max(before, after, spread?.to ?? 0, isShare ? 1 : 0);
  if (!(end > 0)) return undefined;
  const place = (value: number) => Math.min(1, Math.max(0, value / end));
  return {
    before: place(before),
    after: place(after),
    spread: spread ? { from: place(spread.from), to: place(spread.to) } : undefined,
  };
}
