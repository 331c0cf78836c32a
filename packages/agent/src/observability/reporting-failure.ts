import { AggregationTemporality } from "@opentelemetry/sdk-metrics";
import type { Exporter } from "./exporters.ts";

const cumulative = AggregationTemporality.CUMULATIVE;

/** The exporter, which says once that it fails: what is lost concerns nobody but whoever looks for it. */
export function reportingFailure({ name, spans, metrics }: Exporter, onFailure: (message: string) => void): Exporter {
  let isTold = false;

  function tell<R extends { code: number; error?: Error }>(report: (result: R) => void): (result: R) => void {
    return (result) => {
      if (result.code !== 0 && !isTold) {
        isTold = true;
        const reason = result.error?.message ? `: ${result.error.message.split("\n")[0]}` : "";
        onFailure(`observability: ${name} takes nothing${reason}. Runs go on without it.`);
      }
      report(result);
    };
  }

  return {
    name,
    spans: {
      export: (batch, report) => spans.export(batch, tell(report)),
      forceFlush: async () => spans.forceFlush?.(),
      shutdown: () => spans.shutdown(),
    },
    metrics: {
      export: (batch, report) => metrics.export(batch, tell(report)),
      ...(metrics.selectAggregationTemporality && {
        selectAggregationTemporality: (type) => metrics.selectAggregationTemporality?.(type) ?? cumulative,
      }),
      forceFlush: () => metrics.forceFlush(),
      shutdown: () => metrics.shutdown(),
    },
  };
}
