/**
 * Derives spans and metrics from events, by the OpenTelemetry GenAI conventions, for every backend. Message content is never attached.
 * Without an OpenTelemetry SDK in the process, nothing is recorded.
 */

import type { EventOf, RunEvent, Usage } from "@bridle/protocol";
import {
  type Attributes,
  context,
  type Histogram,
  metrics,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { allInput, requestAttributes, runAttributes, usageAttributes } from "./attributes.ts";

interface OpenRun {
  span: Span;
  step?: Span;
  tools: Map<string, Span>;
  /** The attributes of every request of the run. */
  request: Attributes;
  /** The model that answered, once it is known. */
  model: string;
  /** When the request for the next response was sent, in milliseconds since the epoch. Missing once the response has begun. */
  requestedAt?: number;
}

/** The runs in progress of all runtimes of the process, because a nested run and its caller may have different runtimes. */
const openRuns = new Map<string, OpenRun>();

interface Instruments {
  tokens: Histogram;
  duration: Histogram;
}

/**
 * Creates the instruments as late as possible: unlike tracers, meters that are created before an SDK is registered never record anything.
 */
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
  #instruments: Instruments | undefined;

  constructor(provider: string) {
    this.#provider = { "gen_ai.provider.name": provider };
  }

  observe(event: RunEvent): void {
    if (event.type === "run.started") this.#startRun(event);
    const run = openRuns.get(event.runId);
    if (run) this.#handle(event, run);
  }

  #startSpan(name: string, parent: Span | undefined, { attributes, ...options }: SpanOptions): Span {
    const scope = parent ? trace.setSpan(context.active(), parent) : context.active();
    return this.#tracer.startSpan(name, { ...options, attributes: { ...this.#provider, ...attributes } }, scope);
  }

  #startRun(event: EventOf<"run.started">): void {
    const { parentRunId = "", parentCallId = "" } = event;
    const caller = openRuns.get(parentRunId);
    const parent = caller?.tools.get(parentCallId) ?? caller?.span;
    const span = this.#startSpan(`invoke_agent ${event.role ?? "default"}`, parent, {
      kind: SpanKind.INTERNAL,
      attributes: runAttributes(event),
    });
    openRuns.set(event.runId, { span, tools: new Map(), request: requestAttributes(event), model: event.model });
  }

  #handle(event: RunEvent, run: OpenRun): void {
    this.#instruments ??= createInstruments();
    switch (event.type) {
      case "model.input":
        run.requestedAt = event.time;
        break;
      case "step.started":
        this.#startStep(event, run);
        break;
      case "step.finished":
        finishStep(event, run);
        this.#recordTokens(event.usage, run, this.#instruments.tokens);
        break;
      case "retry.scheduled":
        if (event.usage) this.#recordTokens(event.usage, run, this.#instruments.tokens);
        this.#failRequest(run, event.time, codeOf(event));
        run.requestedAt = event.time + event.delayMs;
        break;
      case "tool.requested":
        this.#startTool(event, run);
        break;
      case "tool.denied":
        endTool(run, event, "denied");
        break;
      case "tool.finished":
        endTool(run, event, event.ok ? undefined : "failed");
        break;
      case "run.finished":
        this.#finishRun(event, run, this.#instruments.duration);
        break;
    }
  }

  #startStep(event: EventOf<"step.started">, run: OpenRun): void {
    run.step?.end(); // the host never reported its end
    run.model = event.model ?? run.model;
    run.step = this.#startChat(run, run.requestedAt);
    delete run.requestedAt;
  }

  #startChat(run: OpenRun, startTime: number | undefined): Span {
    const attributes = { "gen_ai.operation.name": "chat", ...run.request, "gen_ai.response.model": run.model };
    return this.#startSpan(`chat ${run.model}`, run.span, {
      kind: SpanKind.CLIENT,
      attributes,
      ...(startTime !== undefined && { startTime }),
    });
  }

  /** Ends the span of a request that got no response. */
  #failRequest(run: OpenRun, time: number, reason: string): void {
    if (run.step || run.requestedAt === undefined) return;
    const span = this.#startChat(run, Math.min(run.requestedAt, time));
    fail(span, reason);
    span.end(time);
    delete run.requestedAt;
  }

  #recordTokens(usage: Usage, run: OpenRun, tokens: Histogram): void {
    const attributes = { ...this.#provider, "gen_ai.operation.name": "chat", ...modelAttributes(run) };
    tokens.record(allInput(usage), { ...attributes, "gen_ai.token.type": "input" });
    tokens.record(usage.outputTokens, { ...attributes, "gen_ai.token.type": "output" });
  }

  #startTool({ callId, tool }: EventOf<"tool.requested">, run: OpenRun): void {
    const attributes = {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": tool,
      "gen_ai.tool.call.id": callId,
    };
    const span = this.#startSpan(`execute_tool ${tool}`, run.span, { kind: SpanKind.INTERNAL, attributes });
    run.tools.set(callId, span);
  }

  #finishRun(event: EventOf<"run.finished">, run: OpenRun, duration: Histogram): void {
    openRuns.delete(event.runId);
    const { error } = event.result;
    if (error) this.#failRequest(run, event.time, error.code);
    duration.record(event.durationMs / 1000, {
      ...this.#provider,
      "gen_ai.operation.name": "invoke_agent",
      ...modelAttributes(run),
      ...(error && { "error.type": error.code }),
    });
    endSpans(event, run);
  }
}

/**
 * Returns a code for a retry. The reason itself is not used, because it may quote the host's answer. The conventions define a word for
 * reasons without a code.
 */
function codeOf({ status, reason }: EventOf<"retry.scheduled">): string {
  if (status !== undefined) return String(status);
  return /^[a-z][a-z0-9_-]{0,40}$/.test(reason) ? reason : "_OTHER";
}

function modelAttributes({ request, model }: OpenRun): Attributes {
  return { "gen_ai.request.model": request["gen_ai.request.model"], "gen_ai.response.model": model };
}

function finishStep({ usage, finishReason }: EventOf<"step.finished">, run: OpenRun): void {
  const reasons = finishReason === undefined ? {} : { "gen_ai.response.finish_reasons": [finishReason] };
  run.step?.setAttributes({ ...usageAttributes(usage), ...reasons });
  run.step?.end();
  delete run.step;
}

/** Ends the span of a call. After the last open call, records its time as the start of the next request. */
function endTool(run: OpenRun, { callId, time }: { callId: string; time: number }, failure: string | undefined): void {
  const span = run.tools.get(callId);
  run.tools.delete(callId);
  if (failure) fail(span, failure);
  span?.end();
  if (run.tools.size === 0) run.requestedAt = time;
}

function endSpans({ result }: EventOf<"run.finished">, run: OpenRun): void {
  for (const span of [...run.tools.values(), run.step]) {
    fail(span, "run_ended");
    span?.end();
  }
  run.span.setAttributes({ ...usageAttributes(result.usage), "bridle.stop_reason": result.stopReason });
  if (result.error) fail(run.span, result.error.code);
  run.span.end();
}

/** Marks a span as failed with the error's code only, because the message may quote the model or a tool. */
function fail(span: Span | undefined, code: string): void {
  span?.setAttribute("error.type", code);
  span?.setStatus({ code: SpanStatusCode.ERROR, message: code });
}
