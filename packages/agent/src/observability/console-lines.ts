/** Formats spans and metrics as lines of text. Pure. */
import type { DataPoint, ResourceMetrics } from "@opentelemetry/sdk-metrics";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";

export interface LineOptions {
  /** true for readable lines, false for JSON. */
  readonly isPretty: boolean;
  readonly hasTime: boolean;
}

type Time = readonly [seconds: number, nanoseconds: number];

const millis = ([seconds, nanoseconds]: Time) => seconds * 1000 + nanoseconds / 1e6;
const isoTime = (time: Time) => new Date(millis(time)).toISOString();

export function spanLine(span: ReadableSpan, options: LineOptions): string {
  const ms = Math.round(millis(span.duration));
  const { name, attributes, status } = span;
  const failed = status.message === undefined ? {} : { error: status.message };
  return line({ kind: "span", name, ms, ...failed, ...attributes }, isoTime(span.startTime), options);
}

export function metricLines({ scopeMetrics }: ResourceMetrics, options: LineOptions): string[] {
  return scopeMetrics.flatMap(({ metrics }) =>
    metrics.flatMap(({ descriptor, dataPoints }) =>
      dataPoints.map((point: DataPoint<unknown>) => {
        const fields = { kind: "metric", name: descriptor.name, ...figuresOf(point.value), ...point.attributes };
        return line(fields, isoTime(point.endTime), options);
      }),
    ),
  );
}

/** Describes a histogram by its count and sum only. */
function figuresOf(value: unknown): object {
  if (typeof value !== "object" || value === null) return { value };
  return { count: Reflect.get(value, "count"), sum: Reflect.get(value, "sum") };
}

function line(
  fields: { kind: string; name: string; [key: string]: unknown },
  time: string,
  { isPretty, hasTime }: LineOptions,
): string {
  if (!isPretty) return JSON.stringify(hasTime ? { time, ...fields } : fields);
  const { kind, name, ...rest } = fields;
  const words = Object.entries(rest).map(([key, value]) => `${key}=${shown(value)}`);
  return [...(hasTime ? [time] : []), kind, name, ...words].join(" ");
}

function shown(value: unknown): string {
  return typeof value === "string" && !/[\s"]/.test(value) ? value : JSON.stringify(value);
}
