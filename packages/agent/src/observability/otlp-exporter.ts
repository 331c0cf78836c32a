import { omitUndefined } from "@bridle/protocol";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import type { Exporter, Exporters } from "./exporter.ts";
import { defaultCollector } from "./remote-collector.ts";

/** Exports over HTTP with the OpenTelemetry protocol. */
export function createOtlpExporter(config: NonNullable<Exporters["otlp"]>): Exporter {
  const { endpoint = defaultCollector, headers, timeout_ms: timeoutMillis, compression } = config;
  const options = (path: string) =>
    omitUndefined({
      url: `${endpoint.replace(/\/+$/, "")}/v1/${path}`,
      headers,
      timeoutMillis,
      compression: compression === "gzip" ? ("gzip" as never) : undefined, // the package does not export this enum
    });
  return {
    name: `the collector at ${endpoint}`,
    spans: new OTLPTraceExporter(options("traces")),
    metrics: new OTLPMetricExporter(options("metrics")),
  };
}
