import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { createMemoryBackend } from "@bridle/conformance";
import { createAgentRuntime } from "@bridle/core";
import { defineTool, omitUndefined, type RunEvent, silentLogger } from "@bridle/protocol";
import { metrics, trace } from "@opentelemetry/api";
import { TracerProvider } from "@opentelemetry/sdk-trace";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { observabilityConfig } from "../config/observability-config.ts";
import { type ObservabilityParts, openObservability } from "./open-observability.ts";

afterEach(() => {
  trace.disable();
  metrics.disable();
});

interface Received {
  path: string;
  headers: NodeJS.Dict<string | string[]>;
  text: string;
}

/** Starts an OTLP receiver over HTTP that answers as `respond` defines, or never. */
async function receiver(respond: "ok" | "fail" | "never" = "ok") {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts);
    const text = (request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body).toString("utf8");
    received.push({ path: request.url ?? "", headers: request.headers, text });
    if (respond !== "never") response.writeHead(respond === "ok" ? 200 : 400).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const of = (path: string) =>
    received
      .filter((each) => each.path === path)
      .map(({ text }) => text)
      .join("\n");
  return {
    endpoint: `http://127.0.0.1:${port}`,
    received,
    spans: () => of("/v1/traces"),
    metrics: () => of("/v1/metrics"),
  };
}

/** Runs two steps and a call under an `observability` block. */
async function run(config: object, around: Partial<ObservabilityParts> = {}) {
  const warned: string[] = [];
  const lines: string[] = [];
  const logger = { ...silentLogger, warn: (_data: object, message: string) => void warned.push(message) };
  const opened = await openObservability(observabilityConfig.parse(omitUndefined({ enabled: true, ...config })), {
    name: "order-desk",
    environment: {},
    logger,
    write: (line: string) => void lines.push(line),
    ...around,
  });
  const backend = createMemoryBackend([
    { steps: [{ calls: [{ tool: "look", input: {} }] }, { say: "It is with key-123456 and 4711." }] },
  ]);
  const onEvent = (event: RunEvent) => opened.onEvent?.(event);
  const runtime = createAgentRuntime({ backend, models: { default: "m" }, onEvent });
  const look = defineTool({ name: "look", description: "Looks.", input: z.object({}), execute: async () => "seen" });
  const { result } = runtime.runAgentLoop({ prompt: "Where is key-123456?", tools: [look], stepBudget: 3 });
  expect((await result).stopReason).toBe("natural");
  await runtime.close();
  const begin = performance.now();
  await opened.close();
  return { warnings: opened.warnings, warned, lines, closeMs: performance.now() - begin };
}

test("a run's spans and metrics are sent to a collector over HTTP, with the service, its attributes and headers", async () => {
  const { endpoint, received, spans, metrics } = await receiver();
  const { warnings } = await run({
    exporters: { otlp: { endpoint, headers: { "x-key": "k" }, compression: "gzip" } },
    resource_attributes: { "deployment.environment.name": "test" },
  });
  expect(warnings).toEqual([]);
  for (const name of [
    "invoke_agent default",
    "chat ",
    "execute_tool look",
    "order-desk",
    "deployment.environment.name",
  ]) {
    expect(spans()).toContain(name);
  }
  expect(metrics()).toContain("gen_ai.client.token.usage");
  expect(metrics()).toContain("gen_ai.client.operation.duration");
  expect(received.every(({ headers }) => headers["x-key"] === "k" && headers["content-encoding"] === "gzip")).toBe(
    true,
  );
});

test("no span contains prompts or answers, unless the file enables them", async () => {
  const { endpoint, spans, metrics } = await receiver();
  await run({ exporters: { otlp: { endpoint } } });
  expect(spans() + metrics()).not.toMatch(/Where is|It is with/);
});

test("captured content contains no credentials and no matches of the patterns", async () => {
  const { endpoint, spans } = await receiver();
  await run(
    {
      exporters: { otlp: { endpoint } },
      traces: { capture_content: true, redaction_patterns: ["\\d{4}\\b"] },
    },
    { environment: { SHOP_API_KEY: "key-123456" } },
  );
  expect(spans()).toContain("Where is [secret SHOP_API_KEY]?");
  expect(spans()).toContain("It is with [secret SHOP_API_KEY] and [redacted].");
  expect(spans()).not.toMatch(/key-123456|4711/);
});

test("a redaction pattern that would take years stops the capture instead of the program", {
  timeout: 60_000,
}, async () => {
  const { endpoint, spans } = await receiver();
  const slow = "(\\w|\\w|\\w|\\w|\\w|\\W)+#";
  const traces = { capture_content: true, redaction_patterns: [slow, "\\d{4}\\b"] };
  await run({ exporters: { otlp: { endpoint } }, traces });
  expect(spans()).toContain("invoke_agent default");
  expect(spans()).toContain("not captured: the redaction pattern");
  expect(spans()).not.toMatch(/Where is|It is with|4711/);
});

test("service_name replaces the agent's name, and spans and metrics can be disabled separately", async () => {
  const { endpoint, spans, metrics } = await receiver();
  await run({ exporters: { otlp: { endpoint } }, service_name: "desk", metrics: { enabled: false } });
  expect(spans()).toContain('"desk"');
  expect(spans()).not.toContain("order-desk");
  expect(metrics()).toBe("");
  const other = await receiver();
  await run({ exporters: { otlp: { endpoint: other.endpoint } }, traces: { enabled: false } });
  expect(other.spans()).toBe("");
  expect(other.metrics()).toContain("gen_ai.client.token.usage");
});

test("a sample rate of 0 exports no spans", async () => {
  const { endpoint, spans } = await receiver();
  await run({ exporters: { otlp: { endpoint } }, traces: { sample_rate: 0 } });
  expect(spans()).toBe("");
});

test("batches, queue and intervals are those of the file", async () => {
  const { endpoint, received } = await receiver();
  await run({
    exporters: { otlp: { endpoint, timeout_ms: 500 } },
    traces: { max_export_batch_size: 1, max_queue_size: 10, schedule_delay_millis: 60_000 },
    metrics: { export_interval_ms: 60_000 },
  });
  expect(received.filter(({ path }) => path === "/v1/traces").length).toBeGreaterThanOrEqual(4); // one span for each
});

test("without an exporter the console shows a line for each span and metric", async () => {
  const { lines } = await run({});
  const line = (pattern: RegExp) => expect(lines).toContainEqual(expect.stringMatching(pattern));
  line(/^\d{4}-\d\d-\d\dT[\d:.]+Z span execute_tool look ms=\d+ .*gen_ai\.tool\.name=look/);
  line(/^\S+Z metric gen_ai\.client\.token\.usage count=2 sum=20 /);
});

test("the console writes plain JSON and no time if the file disables formatting and times", async () => {
  const { lines } = await run({ exporters: { console: { pretty_print: false, include_timestamps: false } } });
  const read = lines.map((line) => JSON.parse(line));
  expect(read).toContainEqual(expect.objectContaining({ kind: "span", name: "execute_tool look" }));
  expect(read.every((each) => !("time" in each))).toBe(true);
});

test("all unsupported settings are named in one warning, and the rest is exported", async () => {
  const { endpoint } = await receiver();
  const { warnings, lines } = await run({
    logs: { level: "INFO" },
    traces: { capture_evaluation_content: true },
    metrics: { include_semantic_kernel_metrics: true },
    exporters: {
      console: {},
      otlp: { endpoint, protocol: "grpc", compression: "deflate", insecure: true },
      prometheus: { enabled: true, port: 8889 },
      azure_monitor: { enabled: true },
    },
  });
  expect(warnings).toEqual([
    "observability has settings that are not supported and have no effect: exporters.otlp.protocol grpc (use http, port 4318); " +
      "exporters.otlp.compression deflate (use gzip); exporters.otlp.insecure (write http or https in endpoint); " +
      "exporters.prometheus (let a collector expose the metrics); exporters.azure_monitor (let a collector forward the data); " +
      "logs; traces.capture_evaluation_content; metrics.include_semantic_kernel_metrics.",
  ]);
  expect(lines.length).toBeGreaterThan(0);
});

test("a signal that is disabled causes no warning and is not exported", async () => {
  const off = { enabled: false };
  const { warnings, lines } = await run({
    logs: off,
    exporters: { prometheus: off, azure_monitor: off, otlp: { ...off, protocol: "grpc" }, console: off },
  });
  expect([warnings, lines]).toEqual([[], []]);
});

test("an exporter without enabled is named if it is not supported", async () => {
  const { warnings } = await run({ exporters: { console: {}, prometheus: { port: 8889 }, azure_monitor: {} } });
  expect(warnings).toEqual([expect.stringMatching(/exporters\.prometheus .+ exporters\.azure_monitor /)]);
});

test("an observability block that is not enabled sets up nothing", async () => {
  const { warnings, lines } = await run({ enabled: false });
  expect(warnings).toEqual([]);
  expect(lines).toEqual([]);
});

test("a collector that never answers fails no run and delays the end by the limit only", async () => {
  const { endpoint } = await receiver("never");
  const { closeMs } = await run({ exporters: { otlp: { endpoint } } }, { closeMs: 300 });
  expect(closeMs).toBeLessThan(2000);
});

test("a collector that is unreachable or refuses data is reported once", async () => {
  const { endpoint } = await receiver("fail");
  const refused = await run({ exporters: { otlp: { endpoint } } });
  expect(refused.warned).toEqual([
    expect.stringMatching(/^observability: the collector at \S+ does not accept data: .*Runs continue/),
  ]);
  const gone = await run({ exporters: { otlp: { endpoint: "http://127.0.0.1:1", timeout_ms: 200 } } });
  expect(gone.warned).toHaveLength(1);
});

test("OpenTelemetry of the program is used if the program has set it up, with a warning", async () => {
  trace.setGlobalTracerProvider(new TracerProvider());
  const { warnings } = await run({ metrics: { enabled: false } });
  expect(warnings).toEqual([expect.stringContaining("this program has its own OpenTelemetry setup")]);
});

test.each([
  [{ traces: { redaction_patterns: ["("] } }, "is not a valid regular expression"],
  [{ traces: { max_queue_size: 10 } }, "must be at least max_export_batch_size, which is 512"],
  [{ traces: { sample_rate: 2 } }, "<=1"],
  [{ traces: { schedule_delay_millis: 1 } }, ">=100"],
  [{ metrics: { export_interval_ms: 1 } }, ">=1000"],
  [{ exporters: { otlp: { endpoint: "collector" } } }, "Invalid URL"],
  [{ exporters: { otlp: { protocol: "udp" } } }, "Invalid option"],
  [{ exporters: { zipkin: {} } }, "zipkin"],
])("the observability block %j is refused: %s", (config, sentence) => {
  expect(observabilityConfig.safeParse(config).error?.message).toContain(sentence);
});
