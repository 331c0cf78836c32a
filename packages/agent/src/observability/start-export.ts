/** Starts OpenTelemetry's SDK. It is large, so import it only if observability is enabled. */
import { metrics, trace } from "@opentelemetry/api";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { ObservabilityConfig } from "../config/observability-config.ts";
import type { Exporter } from "./exporter.ts";
import { createExporters, type ExporterOptions } from "./exporters.ts";
import { reportingFailure } from "./reporting-failure.ts";

export interface ExportOptions extends ExporterOptions {
  readonly serviceName: string;
  /** Receives every span before it is exported. */
  readonly processor?: SpanProcessor | undefined;
  /** Called once for each exporter that fails, with a sentence about it. */
  onFailure(message: string): void;
}

export interface Export {
  /** False if the program has its own OpenTelemetry setup, which then stays in use. */
  readonly isRegistered: boolean;
  /** Sends the remaining data and ends. Takes as long as the slowest exporter. */
  shutdown(): Promise<void>;
}

/** Starts the exporters that an `observability` block configures. Rejects with a ConfigError if an exporter needs a missing package. */
export async function startExport(config: ObservabilityConfig, options: ExportOptions): Promise<Export> {
  const created = await createExporters(config.exporters, options);
  const exporters = created.map((each) => reportingFailure(each, options.onFailure));
  const tracers = config.traces?.enabled === false ? undefined : tracerProvider(config, exporters, options);
  const meters = config.metrics?.enabled === false ? undefined : meterProvider(config, exporters, options);
  const hasTraces = tracers !== undefined && trace.setGlobalTracerProvider(tracers);
  const hasMeters = meters !== undefined && metrics.setGlobalMeterProvider(meters);
  return {
    isRegistered: hasTraces || hasMeters || (!tracers && !meters),
    async shutdown() {
      if (hasTraces) trace.disable();
      if (hasMeters) metrics.disable();
      await Promise.allSettled([tracers?.shutdown(), meters?.shutdown()]);
    },
  };
}

function tracerProvider(config: ObservabilityConfig, exporters: readonly Exporter[], options: ExportOptions) {
  const {
    sample_rate: rate = 1,
    max_queue_size,
    max_export_batch_size,
    schedule_delay_millis = 2000,
  } = config.traces ?? {};
  const batches = exporters.map(
    ({ spans }) =>
      new BatchSpanProcessor({
        exporter: spans,
        scheduledDelayMillis: schedule_delay_millis,
        ...(max_queue_size !== undefined && { maxQueueSize: max_queue_size }),
        ...(max_export_batch_size !== undefined && { maxExportBatchSize: max_export_batch_size }),
      }),
  );
  return new TracerProvider({
    resource: createResource(config, options),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(rate) }),
    spanProcessors: [...(options.processor ? [options.processor] : []), ...batches],
  });
}

function meterProvider(config: ObservabilityConfig, exporters: readonly Exporter[], options: ExportOptions) {
  const exportIntervalMillis = config.metrics?.export_interval_ms ?? 5000;
  const readers = exporters.map(
    ({ metrics: exporter }) =>
      new PeriodicExportingMetricReader({ exporter, exportIntervalMillis, exportTimeoutMillis: exportIntervalMillis }),
  );
  return new MeterProvider({ resource: createResource(config, options), readers });
}

function createResource({ resource_attributes }: ObservabilityConfig, { serviceName }: ExportOptions) {
  return resourceFromAttributes({ "service.name": serviceName, ...resource_attributes });
}
