import type { ObservabilityConfig } from "../config/observability-config.ts";

/** Returns one sentence that lists all unsupported settings of an `observability` block; undefined if there are none. */
export function unsupportedSentence(config: ObservabilityConfig): string | undefined {
  const found = unsupportedIn(config);
  if (found.length === 0) return undefined;
  return `observability has settings that are not supported and have no effect: ${found.join("; ")}.`;
}

function unsupportedIn({ exporters = {}, logs, traces, metrics }: ObservabilityConfig): string[] {
  const { otlp, prometheus, azure_monitor: azure } = exporters;
  const isOn = (part: { enabled?: boolean } | undefined) => part !== undefined && part.enabled !== false;
  return [
    ...(isOn(otlp) && otlp?.protocol === "grpc" ? ["exporters.otlp.protocol grpc (use http, port 4318)"] : []),
    ...(otlp?.compression === "deflate" ? ["exporters.otlp.compression deflate (use gzip)"] : []),
    ...(otlp?.insecure === undefined ? [] : ["exporters.otlp.insecure (write http or https in endpoint)"]),
    ...(isOn(prometheus) ? ["exporters.prometheus (let a collector expose the metrics)"] : []),
    ...(isOn(azure) ? ["exporters.azure_monitor (let a collector forward the data)"] : []),
    ...(isOn(logs) ? ["logs"] : []),
    ...(traces?.capture_evaluation_content ? ["traces.capture_evaluation_content"] : []),
    ...(metrics?.include_semantic_kernel_metrics ? ["metrics.include_semantic_kernel_metrics"] : []),
  ];
}
