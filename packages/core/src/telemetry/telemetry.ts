/**
 * Spans and metrics by the OpenTelemetry GenAI conventions, derived from events, so every backend has them.
 * Message content is never attached. Without an OpenTelemetry SDK in the process all of this is inert.
 */

import type { EventOf, RunEvent, Usage } from "@bridle/protocol";
import { context, type Histogram, metrics, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";

interface OpenRun {
  span: Span;
  step?: Span;
  tools: Map<string, Span>;
  requested: string;
  /** The model that answered, once it is known. */
  model: string;
}

interface Instruments {
  tokens: Histogram;
  duration: Histogram;
}

/** Unlike tracers, meters that are created before an SDK is registered never record anything: create them as late as possible. */
function createInstruments(): Instruments {
  const meter = metrics.getMeter("bridle");
  return {
    tokens: meter.createHistogram("gen_ai.client.token.usage", { unit: "{token}" }),
    duration: meter.createHistogram("gen_ai.client.operation.duration", { unit: "s" }),
  };
}

/** Creates a listener for the events of every run of a runtime. Contract: the caller passes the events of a run in order. */
export function createTelemetry(provider: string): (event: RunEvent) => void {
  const telemetry = new Telemetry(provider);
  return (event) => telemetry.observe(event);
}

class Telemetry {
  readonly #tracer = trace.getTracer("bridle");
  readonly #provider: Record<string, string>;
  readonly #runs = new Map<string, OpenRun>();
  #instruments: Instruments | undefined;

  constructor(provider: string) {
    this.#provider = { "gen_ai.provider.name": provider };
  }

  observe(event: RunEvent): void {
    if (event.type === "run.started") this.#startRun(event);
    const run = this.#runs.get(event.runId);
    if (run) this.#handle(event, run);
  }

  #startSpan(name: string, kind: SpanKind, parent: Span | undefined, attributes: Record<string, string>): Span {
    const scope = parent ? trace.setSpan(context.active(), parent) : context.active();
    return this.#tracer.startSpan(name, { kind, attributes: { ...this.#provider, ...attributes } }, scope);
  }

  #startRun(event: EventOf<"run.started">): void {
    const attributes: Record<string, string> = {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": event.role ?? "default",
      "gen_ai.request.model": event.model,
      "bridle.run.id": event.runId,
      "bridle.operation": event.operation,
    };
    for (const [label, value] of Object.entries(event.labels ?? {})) attributes[`bridle.label.${label}`] = value;
    const span = this.#startSpan(`invoke_agent ${event.role ?? "default"}`, SpanKind.INTERNAL, undefined, attributes);
    this.#runs.set(event.runId, { span, tools: new Map(), requested: event.model, model: event.model });
  }

  #handle(event: RunEvent, run: OpenRun): void {
    this.#instruments ??= createInstruments();
    switch (event.type) {
      case "step.started":
        this.#startStep(event, run);
        break;
      case "step.finished":
        finishStep(event, run);
        this.#recordTokens(event.usage, run, this.#instruments.tokens);
        break;
      case "retry.scheduled":
        if (event.usage) this.#recordTokens(event.usage, run, this.#instruments.tokens);
        break;
      case "tool.requested":
        this.#startTool(event, run);
        break;
      case "tool.denied":
        endTool(run, event.callId, "denied");
        break;
      case "tool.finished":
        endTool(run, event.callId, event.ok ? undefined : "failed");
        break;
      case "run.finished":
        this.#finishRun(event, run, this.#instruments.duration);
        break;
    }
  }

  #startStep(event: EventOf<"step.started">, run: OpenRun): void {
    run.step?.end(); // the host never reported its end
    run.model = event.model ?? run.model;
    run.step = this.#startSpan(`chat ${run.model}`, SpanKind.CLIENT, run.span, {
      "gen_ai.operation.name": "chat",
      ...modelAttributes(run),
    });
  }

  #recordTokens(usage: Usage, run: OpenRun, tokens: Histogram): void {
    const attributes = { ...this.#provider, "gen_ai.operation.name": "chat", ...modelAttributes(run) };
    tokens.record(allInput(usage), { ...attributes, "gen_ai.token.type": "input" });
    tokens.record(usage.outputTokens, { ...attributes, "gen_ai.token.type": "output" });
  }

  #startTool({ callId, tool }: EventOf<"tool.requested">, run: OpenRun): void {
    const span = this.#startSpan(`execute_tool ${tool}`, SpanKind.INTERNAL, run.span, {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": tool,
      "gen_ai.tool.call.id": callId,
    });
    run.tools.set(callId, span);
  }

  #finishRun(event: EventOf<"run.finished">, run: OpenRun, duration: Histogram): void {
    this.#runs.delete(event.runId);
    duration.record(event.durationMs / 1000, {
      ...this.#provider,
      "gen_ai.operation.name": "invoke_agent",
      ...modelAttributes(run),
      ...(event.result.error ? { "error.type": event.result.error.code } : {}),
    });
    endSpans(event, run);
  }
}

function modelAttributes({ requested, model }: OpenRun): Record<string, string> {
  return { "gen_ai.request.model": requested, "gen_ai.response.model": model };
}

function finishStep({ usage }: EventOf<"step.finished">, run: OpenRun): void {
  run.step?.setAttributes({
    "gen_ai.usage.input_tokens": allInput(usage),
    "gen_ai.usage.output_tokens": usage.outputTokens,
  });
  run.step?.end();
  delete run.step;
}

function endTool(run: OpenRun, callId: string, failure: string | undefined): void {
  const span = run.tools.get(callId);
  run.tools.delete(callId);
  if (failure) fail(span, failure);
  span?.end();
}

function endSpans({ result }: EventOf<"run.finished">, run: OpenRun): void {
  for (const span of [...run.tools.values(), run.step]) {
    fail(span, "run_ended");
    span?.end();
  }
  run.span.setAttributes({
    "gen_ai.usage.input_tokens": allInput(result.usage),
    "gen_ai.usage.output_tokens": result.usage.outputTokens,
    "bridle.stop_reason": result.stopReason,
  });
  if (result.error) fail(run.span, result.error.code);
  run.span.end();
}

/** The conventions include cached tokens in the input tokens. */
function allInput({ inputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number {
  return inputTokens + cacheReadTokens + cacheWriteTokens;
}

/** Only the code: an error's message may quote the model or a tool. */
function fail(span: Span | undefined, code: string): void {
  span?.setAttribute("error.type", code);
  span?.setStatus({ code: SpanStatusCode.ERROR, message: code });
}
