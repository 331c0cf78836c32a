import type { PushMetricExporter } from "@opentelemetry/sdk-metrics";
import type { SpanExporter } from "@opentelemetry/sdk-trace";
import type { ObservabilityConfig } from "../config/observability-config.ts";

/** A destination for the spans and metrics of an agent. */
export interface Exporter {
  readonly name: string;
  readonly spans: SpanExporter;
  readonly metrics: PushMetricExporter;
}

export type Exporters = NonNullable<ObservabilityConfig["exporters"]>;
