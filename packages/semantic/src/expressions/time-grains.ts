export const timeGrains = ["hour", "day", "week", "month", "quarter", "year"] as const;
export type TimeGrain = (typeof timeGrains)[number];
/** A time may be stored in a finer grain than queries can use. */
export const storedGrains = ["second", "minute", ...timeGrains] as const;
export type StoredGrain = (typeof storedGrains)[number];
