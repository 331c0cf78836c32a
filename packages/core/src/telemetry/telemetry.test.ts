import { NetworkError, type TurnContext } from "@bridle/protocol";
import { metrics, SpanStatusCode, trace } from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { begin, createTestBackend, createTestTool, natural, step } from "../runtime/runs-for-tests.ts";
import { createAgentRuntime } from "../runtime/runtime.ts";

const secret = "what-was-said";
const spanExporter = new InMemorySpanExporter();
const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
let meters: MeterProvider;

function register(): void {
  trace.setGlobalTracerProvider(
    new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spanExporter })] }),
  );
  meters = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter: metricExporter })] });
  metrics.setGlobalMeterProvider(meters);
}

afterEach(() => {
  trace.disable();
  metrics.disable();
  spanExporter.reset();
  metricExporter.reset();
});

/** Takes two steps with three calls: one succeeds, one fails, one is unknown. Every text contains the secret. */
async function talk(host: TurnContext): Promise<typeof natural> {
  host.emit({ type: "step.started", model: "m-2026" });
  host.emit({ type: "text.completed", text: secret });
  host.emit({ type: "reasoning.completed", text: secret });
  host.emit({
    type: "step.finished",
    usage: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 20, cacheWriteTokens: 3 },
    finishReason: "tool_use",
  });
  await host.callTool({ callId: "1", tool: "good", input: { secret } });
  await host.callTool({ callId: "2", tool: "bad", input: { secret } });
  await host.callTool({ callId: "3", tool: "unknown", input: { secret } });
  step(host, secret);
  return natural;
}

const tools = [
  createTestTool("good", async () => ({ markdown: secret, structured: { secret } })),
  createTestTool("bad", async () => Promise.reject(new Error(secret))),
];

function run(turn = talk as (host: TurnContext) => unknown) {
  const request = { tools, role: "triage", labels: { ticket: "42" }, prompt: secret, system: secret };
  return begin({ ...createTestBackend(turn), id: "claude-code", telemetryProvider: "anthropic" }, request);
}

describe("a run with an OpenTelemetry SDK", () => {
  beforeEach(register);

  test("is one span with a span for each step and each call below it", async () => {
    const { id, result } = run();
    await result;
    const spans = spanExporter.getFinishedSpans();
    expect(spans.map(({ name }) => name).sort()).toEqual([
      "chat m",
      "chat m-2026",
      "execute_tool bad",
      "execute_tool good",
      "execute_tool unknown",
      "invoke_agent triage",
    ]);
    const root = named(spans, "invoke_agent triage");
    expect(root.attributes).toMatchObject({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.provider.name": "anthropic",
      "gen_ai.agent.name": "triage",
      "gen_ai.request.model": "m",
      "gen_ai.usage.input_tokens": 34,
      "bridle.run.id": id,
      "bridle.label.ticket": "42",
      "bridle.stop_reason": "natural",
    });
    for (const span of spans.filter((each) => each !== root)) {
      expect(span.parentSpanContext?.spanId, span.name).toBe(root.spanContext().spanId);
    }
  });

  test("that a call of another run started is below the span of the call, although its runtime is another one", async () => {
    const nested = createTestTool("ask", async (_input, { call }) => {
      const other = createTestBackend((host) => {
        step(host, "found");
        return natural;
      });
      return (await begin(other, { role: "helper", parent: call }).result).text;
    });
    const outer = createTestBackend(async (host) => {
      step(host);
      await host.callTool({ callId: "1", tool: "ask", input: {} });
      step(host);
      return natural;
    });
    const { id, result } = begin(outer, { tools: [nested], role: "boss" });
    await result;
    const spans = spanExporter.getFinishedSpans();
    const helper = named(spans, "invoke_agent helper");
    expect(helper.parentSpanContext?.spanId).toBe(named(spans, "execute_tool ask").spanContext().spanId);
    expect(helper.spanContext().traceId).toBe(named(spans, "invoke_agent boss").spanContext().traceId);
    expect(helper.attributes).toMatchObject({ "bridle.parent.run.id": id });
  });

  test("has the tokens of a step, cached ones included, and the names of tools", async () => {
    await run().result;
    const spans = spanExporter.getFinishedSpans();
    expect(named(spans, "chat m-2026").attributes).toMatchObject({
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "m",
      "gen_ai.response.model": "m-2026",
      "gen_ai.usage.input_tokens": 33,
      "gen_ai.usage.output_tokens": 5,
      "gen_ai.usage.cache_read.input_tokens": 20,
      "gen_ai.usage.cache_creation.input_tokens": 3,
      "gen_ai.response.finish_reasons": ["tool_use"],
    });
    expect(named(spans, "chat m").attributes).not.toHaveProperty("gen_ai.response.finish_reasons");
    expect(named(spans, "execute_tool good").attributes).toMatchObject({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "good",
      "gen_ai.tool.call.id": "1",
    });
  });

  test("has the settings of its requests, and the session as the conversation", async () => {
    const runtime = createAgentRuntime({
      backend: { ...createTestBackend(talk), features: { ...createTestBackend(talk).features, sampling: true } },
      models: { default: "m" },
    });
    const session = await runtime.openSession({
      id: "order-7",
      tools,
      stepBudget: 5,
      maxOutputTokens: 100,
      temperature: 0.5,
      topP: 0.9,
    });
    await (await session.send("go")).result;
    await runtime.close();
    const settings = {
      "gen_ai.conversation.id": "order-7",
      "gen_ai.request.max_tokens": 100,
      "gen_ai.request.temperature": 0.5,
      "gen_ai.request.top_p": 0.9,
    };
    const spans = spanExporter.getFinishedSpans();
    expect(named(spans, "invoke_agent default").attributes).toMatchObject(settings);
    expect(named(spans, "chat m-2026").attributes).toMatchObject(settings);
  });

  test("has a span for each request that fails without a response", async () => {
    await run(async (host) => {
      host.emit({ type: "retry.scheduled", attempt: 1, maxAttempts: 2, delayMs: 0, reason: "overloaded", status: 529 });
      throw new NetworkError(`lost ${secret}`);
    }).result;
    const chats = spanExporter.getFinishedSpans().filter(({ name }) => name === "chat m");
    expect(chats.map(({ status }) => status)).toEqual([
      { code: SpanStatusCode.ERROR, message: "529" },
      { code: SpanStatusCode.ERROR, message: "network" },
    ]);
    expect(chats.map(({ attributes }) => attributes["error.type"])).toEqual(["529", "network"]);
  });

  test("has no sentence as the reason of a request that is repeated: it may quote the host's answer", async () => {
    await run(async (host) => {
      const reason = `The answer broke off after "${secret}".`;
      host.emit({ type: "retry.scheduled", attempt: 1, maxAttempts: 2, delayMs: 0, reason });
      throw new NetworkError("lost");
    }).result;
    const spans = spanExporter.getFinishedSpans();
    expect(named(spans, "chat m").status).toEqual({ code: SpanStatusCode.ERROR, message: "_OTHER" });
    expect(JSON.stringify(spans.map(content))).not.toContain(secret);
  });

  test("marks each failure with its error code", async () => {
    await run().result;
    const spans = spanExporter.getFinishedSpans();
    expect(named(spans, "execute_tool good").status.code).toBe(SpanStatusCode.UNSET);
    expect(named(spans, "execute_tool bad").status).toEqual({ code: SpanStatusCode.ERROR, message: "failed" });
    expect(named(spans, "execute_tool unknown").attributes["error.type"]).toBe("denied");
    expect(named(spans, "invoke_agent triage").status.code).toBe(SpanStatusCode.UNSET);
  });

  test("ends every span when the run fails in the middle", async () => {
    const turn = async (host: TurnContext) => {
      host.emit({ type: "step.started" });
      host.emit({ type: "step.started" });
      throw new NetworkError(`lost ${secret}`);
    };
    await run(turn).result;
    const spans = spanExporter.getFinishedSpans();
    expect(spans.map(({ name }) => name)).toEqual(["chat m", "chat m", "invoke_agent triage"]);
    expect(spans[2]).toMatchObject({ status: { code: SpanStatusCode.ERROR, message: "network" } });
    expect(JSON.stringify(spans.map(content))).not.toContain(secret);
  });

  test("contains no text of the conversation", async () => {
    await run().result;
    const told = JSON.stringify(spanExporter.getFinishedSpans().map(content));
    expect(told).toContain("bridle.label.ticket");
    expect(told).not.toContain(secret);
  });

  test("measures its tokens and duration", async () => {
    await run().result;
    await meters.forceFlush();
    const found =
      metricExporter
        .getMetrics()
        .at(-1)
        ?.scopeMetrics.flatMap((scope) => scope.metrics) ?? [];
    const points = found.flatMap(({ descriptor, dataPoints }) =>
      dataPoints.map(({ attributes, value }) => ({ name: descriptor.name, attributes, value })),
    );
    const names = [...new Set(points.map(({ name }) => name))].sort();
    expect(names).toEqual(["gen_ai.client.operation.duration", "gen_ai.client.token.usage"]);
    const first = points.find(
      ({ attributes }) =>
        attributes["gen_ai.token.type"] === "input" && attributes["gen_ai.response.model"] === "m-2026",
    );
    expect(first).toMatchObject({
      attributes: { "gen_ai.operation.name": "chat", "gen_ai.provider.name": "anthropic" },
      value: { sum: 33, count: 1 },
    });
    expect(JSON.stringify(points)).not.toContain(secret);
  });
});

test("a runtime that was created before the SDK was registered is traced and measured too", async () => {
  const runtime = createAgentRuntime({ backend: createTestBackend(talk), models: { default: "m" } });
  register();
  await runtime.runAgentLoop({ prompt: "go", tools, stepBudget: 5 }).result;
  await meters.forceFlush();
  expect(spanExporter.getFinishedSpans()).toHaveLength(6);
  expect(metricExporter.getMetrics().at(-1)?.scopeMetrics[0]?.metrics).toHaveLength(2);
});

test("without an SDK a run emits no telemetry and succeeds", async () => {
  expect((await run().result).stopReason).toBe("natural");
  expect(spanExporter.getFinishedSpans()).toEqual([]);
});

function named(spans: readonly ReadableSpan[], name: string): ReadableSpan {
  const span = spans.find((each) => each.name === name);
  if (!span) throw new Error(`There is no span ${name}.`);
  return span;
}

function content({ name, attributes, events, status }: ReadableSpan): unknown {
  return { name, attributes, events, status };
}
