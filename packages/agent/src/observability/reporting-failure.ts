import { AggregationTemporality } from "@opentelemetry/sdk-metrics";
import type { Exporter } from "./exporter.ts";

const cumulative = AggregationTemporality.CUMULATIVE;

/** Wraps an exporter, and reports its first failure. Later failures are not reported. */
export function reportingFailure({ name, spans, metrics }: Exporter, onFailure: (message: string) => void): Exporter {
  let isReported = false;

  function reportOnce<R extends { code: number; error?: Error }>(report: (result: R) => void): (result: R) => void {
    return (result) => {
      if (result.code !== 0 && !isReported) {
        isReported = true;
        const reason = result.error?.message ? `: ${result.error.message.split("\n")[0]}` : "";
        onFailure(`observability: ${name} does not accept data${reason}. Runs continue without it.`);
      }
      report(result);
    };
  }

  return {
    name,
    spans: {
      export: (batch, report) => spans.export(batch, reportOnce(report)),
      forceFlush: async () => spans.forceFlush?.(),
      shutdown: () => spans.shutdown(),
    },
    metrics: {
      export: (batch, report) => metrics.export(batch, reportOnce(report)),
      ...(metrics.selectAggregationTemporality && {
        selectAggregationTemporality: (type) => metrics.selectAggregationTemporality?.(type) ?? cumulative,
      }),
      forceFlush: () => metrics.forceFlush(),
      shutdown: () => metrics.shutdown(),
    },
  };
}
