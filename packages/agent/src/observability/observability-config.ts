import { z } from "zod";
import { address, flag, share, text, wholeFrom } from "../config/fields.ts";

/** A part that other tools have: it is read, and named in a warning where it is switched on. */
const elsewhere = (what: string) =>
  z
    .looseObject({ enabled: z.boolean().exactOptional() })
    .exactOptional()
    .describe(`Not supported, which a warning says: ${what}`);

const traces = z
  .strictObject({
    enabled: flag("Whether spans are exported. Default: true.").exactOptional(),
    sample_rate: share("The share of runs whose spans are exported. Default: 1.").exactOptional(),
    capture_content: flag(
      "Whether spans hold what was asked and answered. Credentials are taken out. Default: false.",
    ).exactOptional(),
    capture_evaluation_content: z.boolean().exactOptional().describe("Not supported, which a warning says."),
    redaction_patterns: z
      .array(z.string().refine(isExpression, { error: "is no regular expression" }))
      .exactOptional()
      .describe("Regular expressions: what they find in captured content is replaced by [redacted]."),
    max_queue_size: wholeFrom(1, "Spans that wait at most; those beyond are dropped. Default: 2048.").exactOptional(),
    max_export_batch_size: wholeFrom(1, "Spans of one export at most. Default: 512.").exactOptional(),
    schedule_delay_millis: wholeFrom(100, "Milliseconds between exports. Default: 2000.").exactOptional(),
  })
  .check(({ value, issues }) => {
    const { max_queue_size: queue = 2048, max_export_batch_size: batch = 512 } = value;
    if (queue >= batch) return;
    const message = `is ${queue}, but must be at least max_export_batch_size, which is ${batch}.`;
    issues.push({ code: "custom", input: value, path: ["max_queue_size"], message });
  })
  .describe("A span for each run, response and call.");

const metrics = z
  .strictObject({
    enabled: flag("Whether metrics are exported. Default: true.").exactOptional(),
    export_interval_ms: wholeFrom(1000, "Milliseconds between exports. Default: 5000.").exactOptional(),
    include_semantic_kernel_metrics: z.boolean().exactOptional().describe("Not supported, which a warning says."),
  })
  .describe("Tokens and durations.");

const otlp = z
  .strictObject({
    enabled: flag("Default: true.").exactOptional(),
    endpoint: address("The collector, without /v1/traces. Default: http://localhost:4318.").exactOptional(),
    protocol: z.enum(["http", "grpc"]).exactOptional().describe("Default: http; grpc is not supported."),
    headers: z
      .record(z.string(), z.string())
      .exactOptional()
      .describe("Headers of each export, such as a key of the collector's."),
    timeout_ms: wholeFrom(1, "Milliseconds that one export may take. Default: 10000.").exactOptional(),
    compression: z.enum(["gzip", "deflate", "none"]).nullable().exactOptional().describe("gzip or none, the default."),
    insecure: z.boolean().exactOptional().describe("Not supported: the endpoint says it by http or https."),
  })
  .describe("OpenTelemetry's own protocol, over HTTP.");

const consoleExporter = z
  .strictObject({
    enabled: flag("Default: true.").exactOptional(),
    pretty_print: flag("A line for people; false: a line of JSON. Default: true.").exactOptional(),
    include_timestamps: flag("Whether lines begin with the time. Default: true.").exactOptional(),
  })
  .describe("Lines on standard error. Used where no other exporter is switched on.");

/** `observability` of an agent's file. */
export const observabilityConfig = z
  .strictObject({
    enabled: flag("Whether anything is exported. Default: false.").exactOptional(),
    service_name: text("The service that spans and metrics are of. Default: the agent's name.").exactOptional(),
    traces: traces.exactOptional(),
    metrics: metrics.exactOptional(),
    logs: elsewhere("logs are not exported; the record of a project has everything."),
    exporters: z
      .strictObject({
        console: consoleExporter.exactOptional(),
        otlp: otlp.exactOptional(),
        prometheus: elsewhere("let a collector receive OTLP and offer the metrics."),
        azure_monitor: elsewhere("let a collector receive OTLP and pass it on."),
      })
      .exactOptional()
      .describe("Where to. Default: the console."),
    resource_attributes: z
      .record(z.string(), z.string())
      .exactOptional()
      .describe("More about the service, by OpenTelemetry's names, such as deployment.environment.name."),
  })
  .describe("Spans and metrics of the agent's runs, by OpenTelemetry.");

export type ObservabilityConfig = z.output<typeof observabilityConfig>;

function isExpression(text: string): boolean {
  try {
    return new RegExp(text) !== undefined;
  } catch {
    return false;
  }
}
