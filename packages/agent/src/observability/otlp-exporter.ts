import { omitUndefined } from "@bridle/protocol";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import type { Exporter, Exporters } from "./exporter.ts";
import { defaultCollector } from "./remote-collector.ts";

/** Exports by OpenTelemetry's protocol over HTTP. */
export function createOtlpExporter(config: NonNullable<Exporters["otlp"]>): Exporter {
  const { endpoint = defaultCollector, headers, timeout_ms: timeoutMillis, compression } = config;
  const options = (path: string) =>
    omitUndefined({
      url: `${endpoint.replace(/\/+$/, "")}/v1/${path}`,
      headers,
      timeoutMillis,
      compression: compression === "gzip" ? ("gzip" as never) : undefined, // an enum that its package does not export
    });
  return {
    name: `the collector at ${endpoint}`,
    spans: new OTLPTraceExporter(options("traces")),
    metrics: new OTLPMetricExporter(options("metrics")),
  };
}
