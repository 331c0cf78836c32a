import { z } from "zod";
import { address, flag, share, text, wholeFrom } from "./fields.ts";

/** Creates the schema of another product's setting. The setting is accepted; if it is enabled, a warning names it. */
const elsewhere = (what: string) =>
  z
    .looseObject({ enabled: z.boolean().exactOptional() })
    .exactOptional()
    .describe(`Not supported: has no effect, and Bridle shows a warning. ${what}`);

const traces = z
  .strictObject({
    enabled: flag("Whether spans are exported. Default: true.").exactOptional(),
    sample_rate: share("The share of runs with exported spans, from 0 to 1. Default: 1.").exactOptional(),
    capture_content: flag(
      "Whether spans contain prompts and answers. Credentials are redacted. Default: false.",
    ).exactOptional(),
    capture_evaluation_content: z
      .boolean()
      .exactOptional()
      .describe("Not supported: has no effect, and Bridle shows a warning. Remove it."),
    redaction_patterns: z
      .array(z.string().refine(isExpression, { error: "is not a valid regular expression" }))
      .exactOptional()
      .describe("Regular expressions. Their matches in captured content are replaced with [redacted]."),
    max_queue_size: wholeFrom(
      1,
      "The maximum number of waiting spans. Further spans are dropped. Default: 2048.",
    ).exactOptional(),
    max_export_batch_size: wholeFrom(1, "The maximum number of spans in one export. Default: 512.").exactOptional(),
    schedule_delay_millis: wholeFrom(100, "Milliseconds between exports. Default: 2000.").exactOptional(),
  })
  .check(({ value, issues }) => {
    const { max_queue_size: queue = 2048, max_export_batch_size: batch = 512 } = value;
    if (queue >= batch) return;
    const message = `is ${queue}, but must be at least max_export_batch_size, which is ${batch}.`;
    issues.push({ code: "custom", input: value, path: ["max_queue_size"], message });
  })
  .describe("One span for each run, response and call.");

const metrics = z
  .strictObject({
    enabled: flag("Whether metrics are exported. Default: true.").exactOptional(),
    export_interval_ms: wholeFrom(1000, "Milliseconds between exports. Default: 5000.").exactOptional(),
    include_semantic_kernel_metrics: z
      .boolean()
      .exactOptional()
      .describe("Not supported: has no effect, and Bridle shows a warning. Remove it."),
  })
  .describe("Tokens and durations.");

const otlp = z
  .strictObject({
    enabled: flag("Whether this exporter is used. Default: true if this mapping is present.").exactOptional(),
    endpoint: address(
      "The address of the collector, without /v1/traces. Default: http://localhost:4318.",
    ).exactOptional(),
    protocol: z.enum(["http", "grpc"]).exactOptional().describe("The protocol. grpc is not supported. Default: http."),
    headers: z.record(z.string(), z.string()).exactOptional().describe("Headers of each export, such as an API key."),
    timeout_ms: wholeFrom(1, "Milliseconds that one export may take. Default: 10000.").exactOptional(),
    compression: z
      .enum(["gzip", "deflate", "none"])
      .nullable()
      .exactOptional()
      .describe("The compression. deflate is not supported. Default: none."),
    insecure: z.boolean().exactOptional().describe("Not supported: write http or https in endpoint."),
  })
  .describe("OTLP, OpenTelemetry's protocol, over HTTP.");

const consoleExporter = z
  .strictObject({
    enabled: flag("Whether this exporter is used. Default: true if this mapping is present.").exactOptional(),
    pretty_print: flag("true for readable lines, false for lines of JSON. Default: true.").exactOptional(),
    include_timestamps: flag("Whether lines contain the time. Default: true.").exactOptional(),
  })
  .describe("Lines on standard error. The default if no other exporter is enabled.");

/** `observability` in an agent file. */
export const observabilityConfig = z
  .strictObject({
    enabled: flag("Whether anything is exported. Default: false.").exactOptional(),
    service_name: text("The service name of spans and metrics. Default: the agent's name.").exactOptional(),
    traces: traces.exactOptional(),
    metrics: metrics.exactOptional(),
    logs: elsewhere("Remove it: the event log of a project contains everything."),
    exporters: z
      .strictObject({
        console: consoleExporter.exactOptional(),
        otlp: otlp.exactOptional(),
        prometheus: elsewhere("Remove it, send OTLP to a collector, and let the collector expose the metrics."),
        azure_monitor: elsewhere("Remove it, send OTLP to a collector, and let the collector forward the data."),
      })
      .exactOptional()
      .describe("The destinations of the data. Default: the console."),
    resource_attributes: z
      .record(z.string(), z.string())
      .exactOptional()
      .describe("Additional attributes of the service, with OpenTelemetry names, such as deployment.environment.name."),
  })
  .describe("OpenTelemetry spans and metrics of the agent's runs.");

export type ObservabilityConfig = z.output<typeof observabilityConfig>;

function isExpression(text: string): boolean {
  try {
    return new RegExp(text) !== undefined;
  } catch {
    return false;
  }
}
