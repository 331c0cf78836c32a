/** A metric before and after, as the comparison has it. */
export interface ComparedFigures {
  readonly before: number | null;
  readonly after: number | null;
  /** The 95 % confidence interval of the change. */
  readonly interval: { readonly low: number; readonly high: number } | null;
}

/** Places on a strip, from 0 to 1. */
export interface StripPlaces {
  readonly before: number;
  readonly after: number;
  /** Where the figure after the change may be. Undefined if its spread is not known. */
  readonly spread: { readonly from: number; readonly to: number } | undefined;
}

/** Where the figures of a metric are on a strip that begins at zero. A share ends at 1. Undefined without both figures. */
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
