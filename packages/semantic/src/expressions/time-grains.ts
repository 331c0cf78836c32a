export const timeGrains = ["hour", "day", "week", "month", "quarter", "year"] as const;
export type TimeGrain = (typeof timeGrains)[number];
/** The grains in which a time may be stored, including those that are finer than queries can use. */
export const storedGrains = ["second", "minute", ...timeGrains] as const;
export type StoredGrain = (typeof storedGrains)[number];
