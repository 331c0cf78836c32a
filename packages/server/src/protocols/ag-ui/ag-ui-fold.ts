/** Converts the events of a run to events of AG-UI 1.0. Pure. */
import { type EventOf, noUsage, type RunEvent, type Usage, usageSince } from "@bridle/protocol";
import { type OtherEvent, type RunPart, RunParts } from "../shared/run-parts.ts";
import { RunPauses } from "../shared/run-pauses.ts";
import { UsageSum, wholeInput } from "../shared/usage-sum.ts";
import { type AgUiEvent, type AgUiMessage, type AgUiRun, agUiVersion } from "./ag-ui-events.ts";
import { toInterrupt, toToolCallId } from "./ag-ui-interrupt.ts";
import { AgUiMessages, toAgUiContent, toToolCall } from "./ag-ui-messages.ts";

/** A request that begins or continues a run. */
export interface AgUiRequest extends AgUiRun {
  readonly parentRunId?: string | undefined;
  readonly messages: readonly AgUiMessage[];
}

/**
 * Folds the events of one run. An AG-UI run ends when Bridle's run pauses, and the next AG-UI run continues there. Pass all earlier
 * events to `skip`, call `begin`, and then pass the other events to `next` until `isOver`.
 */
export class AgUiFold {
  readonly #request: AgUiRequest;
  readonly #messages: AgUiMessages;
  readonly #parts = new RunParts();
  readonly #pauses = new RunPauses();
  readonly #usage = new UsageSum();
  readonly #answered = { provider: "", model: "" };
  /** The usage of earlier AG-UI runs. */
  #earlier: Usage = noUsage;
  #openStep: string | undefined;
  /** The current response's assistant message. The message contains the response's calls. */
  #answer = "";
  #isOver = false;

  constructor(request: AgUiRequest) {
    this.#request = request;
    this.#messages = new AgUiMessages(request.messages);
  }

  /** Whether the AG-UI run has ended. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Adds an event that was sent by an earlier AG-UI run. */
  skip(event: RunEvent): void {
    this.#note(event);
    this.#parts.next(event);
    this.#pauses.next(event);
    this.#earlier = this.#usage.total;
  }

  /** Returns the start events. A client that reads a part again already has the part's messages, so these are sent from the start. */
  begin(run: { readonly runId: string; readonly sessionId: string; readonly after: number }): AgUiEvent[] {
    const { threadId, runId, parentRunId } = this.#request;
    const again = this.#messages.list().filter(({ id }) => seqOfMessage(id, run.runId) > run.after);
    this.#messages.remove(new Set(again.map(({ id }) => id)));
    return [
      {
        type: "RUN_STARTED",
        threadId,
        runId,
        protocolVersion: agUiVersion,
        ...(parentRunId && { parentRunId }),
        metadata: { bridle: { runId: run.runId, sessionId: run.sessionId, after: run.after } },
      },
      ...(again.length > 0 ? [this.#snapshot()] : []),
    ];
  }

  next(event: RunEvent): AgUiEvent[] {
    this.#note(event);
    const told = this.#parts.next(event).flatMap((part) => this.#tell(part));
    const asked = this.#pauses.next(event);
    if (asked === undefined) return told;
    return [...told, ...this.#end({ type: "interrupt", interrupts: asked.map(toInterrupt) })];
  }

  /** Returns the end events for a client when the server shuts down. The run itself is recorded. */
  breakOff(): AgUiEvent[] {
    const message = "The server ended this stream. Read the rest of the run from the native API of the server.";
    return [{ type: "RUN_ERROR", message, code: "stream-ended", usage: this.#tokens() }];
  }

  #note(event: RunEvent): void {
    this.#usage.add(event);
    if (event.type === "run.started") this.#answered.provider = event.backend;
    if (event.type === "run.started" || event.type === "step.started")
      this.#answered.model = event.model ?? this.#answered.model;
    if (event.type === "step.started") this.#answer = `${event.runId}-${event.seq}`;
  }

  #tell(part: RunPart): AgUiEvent[] {
    switch (part.type) {
      case "opened":
        if (part.kind === "text") return [{ type: "TEXT_MESSAGE_START", messageId: part.id, role: "assistant" }];
        return [
          { type: "REASONING_START", messageId: part.id },
          { type: "REASONING_MESSAGE_START", messageId: part.id, role: "reasoning" },
        ];
      case "grown": {
        const type = part.kind === "text" ? "TEXT_MESSAGE_CONTENT" : "REASONING_MESSAGE_CONTENT";
        return [{ type, messageId: part.id, delta: part.text }];
      }
      case "closed":
        return this.#close(part);
      case "voided":
        this.#messages.remove(new Set(part.blocks.map(({ id }) => id)));
        return [this.#snapshot()];
      case "event":
        return this.#tellEvent(part.event);
    }
  }

  #close({ kind, id, text, isRewritten }: Extract<RunPart, { type: "closed" }>): AgUiEvent[] {
    const snapshot = () => (isRewritten ? [this.#snapshot()] : []);
    if (kind === "text") {
      this.#messages.add({ id, role: "assistant", content: text });
      this.#answer = id;
      return [{ type: "TEXT_MESSAGE_END", messageId: id }, ...snapshot()];
    }
    this.#messages.add({ id, role: "reasoning", content: text });
    return [{ type: "REASONING_MESSAGE_END", messageId: id }, { type: "REASONING_END", messageId: id }, ...snapshot()];
  }

  #snapshot(): AgUiEvent {
    return { type: "MESSAGES_SNAPSHOT", messages: this.#messages.list() };
  }

  #tellEvent(event: OtherEvent): AgUiEvent[] {
    switch (event.type) {
      case "step.started":
        this.#openStep = `step-${event.index}`;
        return [{ type: "STEP_STARTED", stepName: this.#openStep }];
      case "step.finished":
        return this.#closeStep();
      case "tool.requested":
        return this.#call(event);
      case "tool.finished":
        return [
          this.#result(event, toAgUiContent(event.output, event.images), {
            ok: event.ok,
            durationMs: event.durationMs,
          }),
        ];
      case "tool.denied":
        return [this.#result(event, event.output, { ok: false, denied: true })];
      case "history.replaced":
        this.#messages.replaceHistory(event.messages, `${event.runId}-${event.seq}`);
        return [this.#snapshot()];
      case "run.finished":
        return this.#finish(event);
      default:
        return tellCustom(event);
    }
  }

  #call({ runId, callId, tool, input }: EventOf<"tool.requested">): AgUiEvent[] {
    const call = toToolCall(toToolCallId(runId, callId), tool, input);
    this.#messages.addCall(this.#answer, call);
    return [
      { type: "TOOL_CALL_START", toolCallId: call.id, toolCallName: tool, parentMessageId: this.#answer },
      { type: "TOOL_CALL_ARGS", toolCallId: call.id, delta: call.function.arguments },
      { type: "TOOL_CALL_END", toolCallId: call.id },
    ];
  }

  #result(
    { runId, seq, callId }: EventOf<"tool.finished" | "tool.denied">,
    content: ReturnType<typeof toAgUiContent>,
    bridle: Readonly<Record<string, unknown>>,
  ): AgUiEvent {
    const result = { toolCallId: toToolCallId(runId, callId), role: "tool", content } as const;
    this.#messages.add({ id: `${runId}-${seq}`, ...result });
    return { type: "TOOL_CALL_RESULT", messageId: `${runId}-${seq}`, ...result, metadata: { bridle } };
  }

  #finish({ result: { stopReason, error, steps } }: EventOf<"run.finished">): AgUiEvent[] {
    if (stopReason === "error") {
      this.#isOver = true;
      const { message, code } = error ?? { message: "The run failed.", code: "unknown" };
      return [...this.#closeStep(), { type: "RUN_ERROR", message, code, usage: this.#tokens() }];
    }
    const budget: AgUiEvent[] =
      stopReason === "budget" ? [{ type: "CUSTOM", name: "bridle.budget", value: { steps } }] : [];
    return [...budget, ...this.#end({ type: stopReason === "stopped" ? "cancelled" : "success" })];
  }

  #end(outcome: Extract<AgUiEvent, { type: "RUN_FINISHED" }>["outcome"]): AgUiEvent[] {
    this.#isOver = true;
    const { threadId, runId } = this.#request;
    return [...this.#closeStep(), { type: "RUN_FINISHED", threadId, runId, outcome, usage: this.#tokens() }];
  }

  #closeStep(): AgUiEvent[] {
    const stepName = this.#openStep;
    this.#openStep = undefined;
    return stepName === undefined ? [] : [{ type: "STEP_FINISHED", stepName }];
  }

  /** Computes the usage of this AG-UI run. As AG-UI requires, the totals include cached tokens. */
  #tokens() {
    const usage = usageSince(this.#usage.total, this.#earlier);
    const inputTokens = wholeInput(usage);
    const { outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
    const totals = { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
    return [
      { ...this.#answered, ...totals, cachedInputTokens: cacheReadTokens, cacheWriteInputTokens: cacheWriteTokens },
    ];
  }
}

/** Converts events without an equivalent in AG-UI: progress, limits, notices, and the authors of answers. */
function tellCustom(event: OtherEvent): AgUiEvent[] {
  const { seq: _seq, time: _time, runId, sessionId: _session, type, ...fields } = event;
  const value = "callId" in fields ? { ...fields, toolCallId: toToolCallId(runId, fields.callId) } : fields;
  return customs.has(type) ? [{ type: "CUSTOM", name: `bridle.${type}`, value }] : [];
}

const customs: ReadonlySet<string> = new Set([
  "tool.started",
  "tool.progress",
  "approval.decided",
  "notice",
  "limit.warned",
  "limit.reached",
  "limit.waiting",
  "limit.cleared",
]);

/** Returns the number in the id of a run's message; -1 if the message belongs to another run. */
function seqOfMessage(messageId: string, runId: string): number {
  const seq = messageId.startsWith(`${runId}-`) ? Number(messageId.slice(runId.length + 1)) : Number.NaN;
  return Number.isInteger(seq) ? seq : -1;
}
