import { type TimeSpan, timeGrains } from "@bridle/semantic/model-parts";
import { refuseImport } from "../import-report.ts";

/** Refers to a measure or metric in the models. */
export interface MetricHandle {
  readonly model: string;
  readonly name: string;
}

/** Writes a reference as metrics do. */
export function handleText({ model, name }: MetricHandle): string {
  return `${model}.${name}`;
}

/** Writes a reference as expressions do. */
export function quotedHandle({ model, name }: MetricHandle): string {
  return `"${model}"."${name}"`;
}

/** Parses `7 days` or `1 month`. */
export function spanOf(text: string): TimeSpan {
  const [, count = "", unit = ""] = /^(\d+)\s+(\w+?)s?$/.exec(text.trim().toLowerCase()) ?? [];
  const grain = timeGrains.find((each) => each === unit);
  if (!grain || Number(count) < 1)
    return refuseImport(`The window "${text}" is not a number of ${timeGrains.join(", ")}.`);
  return { count: Number(count), grain };
}

interface WrittenSpan {
  readonly window?: string | undefined;
  readonly grain_to_date?: string | undefined;
}

/** Returns the span of a cumulative metric. */
export function spanToDate({ window, grain_to_date: toDate }: WrittenSpan) {
  const grain = timeGrains.find((each) => each === toDate);
  if (toDate !== undefined && !grain) refuseImport(`The grain ${toDate} is not supported. Use a coarser one.`);
  return { ...(window !== undefined && { window: spanOf(window) }), ...(grain && { grain_to_date: grain }) };
}
