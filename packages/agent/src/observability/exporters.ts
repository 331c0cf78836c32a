/** Creates the exporters that an `observability` block configures. Imports OpenTelemetry's SDK, so import it only if one is used. */
import { importOptional } from "@bridle/core";
import { ConfigError } from "@bridle/protocol";
import { AggregationTemporality } from "@opentelemetry/sdk-metrics";
import { type LineOptions, metricLines, spanLine } from "./console-lines.ts";
import type { Exporter, Exporters } from "./exporter.ts";
import { isRemote } from "./remote-collector.ts";

export interface ExporterOptions {
  /** Whether all spans stay on this machine. */
  readonly isRehearsed: boolean;
  /** Writes a line to standard error. */
  write(line: string): void;
}

/**
 * Creates every exporter that is enabled and supported, except those to other machines in a rehearsal. If none is enabled, it creates the
 * console exporter. Rejects with a ConfigError if a package is missing.
 */
export async function createExporters(
  exporters: Exporters = {},
  { write, isRehearsed }: ExporterOptions,
): Promise<readonly Exporter[]> {
  const { console: lines, otlp } = exporters;
  const others = [otlp, exporters.prometheus, exporters.azure_monitor];
  const isDefault = lines === undefined && others.every((each) => each === undefined || each.enabled === false);
  return [
    ...((lines && lines.enabled !== false) || isDefault ? [consoleExporter(lines ?? {}, write)] : []),
    ...(otlp && isUsed(otlp, isRehearsed) ? [await otlpExporter(otlp)] : []),
  ];
}

function isUsed(otlp: NonNullable<Exporters["otlp"]>, isRehearsed: boolean): boolean {
  return otlp.enabled !== false && otlp.protocol !== "grpc" && !(isRehearsed && isRemote(otlp));
}

async function otlpExporter(config: NonNullable<Exporters["otlp"]>): Promise<Exporter> {
  const { createOtlpExporter } = await importOptional(
    ["@opentelemetry/exporter-trace-otlp-http", "@opentelemetry/exporter-metrics-otlp-http"],
    () => import("./otlp-exporter.ts"),
    (problem, cause) => new ConfigError(`observability.exporters.otlp ${problem}`, { field: "observability", cause }),
  );
  return createOtlpExporter(config);
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
