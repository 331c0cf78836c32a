/** The exporters that a block names. Imported only where one is used: it brings OpenTelemetry's SDK with it. */
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { AggregationTemporality, type PushMetricExporter } from "@opentelemetry/sdk-metrics";
import type { SpanExporter } from "@opentelemetry/sdk-trace";
import { type LineOptions, metricLines, spanLine } from "./console-lines.ts";
import type { ObservabilityConfig } from "./observability-config.ts";

export interface Exporter {
  readonly name: string;
  readonly spans: SpanExporter;
  readonly metrics: PushMetricExporter;
}

type Exporters = NonNullable<ObservabilityConfig["exporters"]>;

const defaultEndpoint = "http://localhost:4318";

/** Every exporter that is switched on and supported; the console where none is named. */
export function exportersOf(exporters: Exporters = {}, write: (line: string) => void): Exporter[] {
  const { console: lines, otlp } = exporters;
  const others = [otlp, exporters.prometheus, exporters.azure_monitor];
  const isDefault = lines === undefined && others.every((each) => each === undefined || each.enabled === false);
  return [
    ...((lines && lines.enabled !== false) || isDefault ? [consoleExporter(lines ?? {}, write)] : []),
    ...(otlp && otlp.enabled !== false && otlp.protocol !== "grpc" ? [otlpExporter(otlp)] : []),
  ];
}

function otlpExporter(config: NonNullable<Exporters["otlp"]>): Exporter {
  const { endpoint = defaultEndpoint, headers, timeout_ms: timeoutMillis, compression } = config;
  const options = (path: string) => ({
    url: `${endpoint.replace(/\/+$/, "")}/v1/${path}`,
    ...(headers && { headers }),
    ...(timeoutMillis !== undefined && { timeoutMillis }),
    ...(compression === "gzip" && { compression: "gzip" as never }), // an enum that its package does not export
  });
  return {
    name: `the collector at ${endpoint}`,
    spans: new OTLPTraceExporter(options("traces")),
    metrics: new OTLPMetricExporter(options("metrics")),
  };
}

function consoleExporter(config: NonNullable<Exporters["console"]>, write: (line: string) => void): Exporter {
  const options: LineOptions = { isPretty: config.pretty_print ?? true, hasTime: config.include_timestamps ?? true };
  const done = { code: 0 };
  return {
    name: "the console",
    spans: {
      export(spans, report) {
        for (const span of spans) write(spanLine(span, options));
        report(done);
      },
      shutdown: async () => {},
    },
    metrics: {
      export(metrics, report) {
        for (const line of metricLines(metrics, options)) write(line);
        report(done);
      },
      selectAggregationTemporality: () => AggregationTemporality.CUMULATIVE,
      forceFlush: async () => {},
      shutdown: async () => {},
    },
  };
}
