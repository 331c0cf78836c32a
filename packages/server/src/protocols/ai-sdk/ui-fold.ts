/** Converts the events of a run to chunks of the AI SDK's UI message stream. Pure. */
import type { EventOf, RunEvent } from "@bridle/protocol";
import { InnerQuestions } from "../shared/inner-questions.ts";
import { type ClosedPart, type OtherEvent, type RunPart, RunParts } from "../shared/run-parts.ts";
import { type Asked, RunPauses } from "../shared/run-pauses.ts";
import { UsageSum, wholeInput } from "../shared/usage-sum.ts";
import {
  type CallChunk,
  toApprovalRequest,
  toApprovalResponse,
  toCall,
  toCallOutput,
  toInnerCall,
  toInnerOutcome,
  toOutputError,
} from "./ui-calls.ts";
import type { FinishReason, UiChunk } from "./ui-chunks.ts";

/**
 * Folds the events of one run into one message. A response ends when the run pauses, and the next response continues the same
 * message. Pass all earlier events to `skip`, call `begin`, and then pass the other events to `next` until `isOver`.
 */
export class UiFold {
  readonly #parts = new RunParts();
  readonly #pauses = new RunPauses();
  readonly #usage = new UsageSum();
  /** Requested calls that have not been sent yet. */
  readonly #requested = new Map<string, UiChunk>();
  readonly #calls = new Map<string, CallChunk>();
  /** The call that each question is about. */
  readonly #asked = new Map<string, string>();
  readonly #inner = new InnerQuestions();
  /** The chunks of the open step. If a text changes, all of them are sent again. */
  #ofStep: UiChunk[] = [];
  #hasStep = false;
  #isOver = false;
  readonly #pausesAfter: number;

  /** `pausesAfter`: ignores pauses up to this event, for a client that reads the whole message again. */
  constructor({ pausesAfter }: { readonly pausesAfter: number } = { pausesAfter: 0 }) {
    this.#pausesAfter = pausesAfter;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Updates the state for an event without returning chunks, because an earlier response sent it. */
  skip(event: RunEvent): void {
    this.#usage.add(event);
    for (const part of this.#parts.next(event)) if (part.type === "event") this.#tellEvent(part.event);
    this.#pauses.next(event);
    this.#hasStep = false;
    this.#ofStep = [];
  }

  begin({ runId, sessionId }: { readonly runId: string; readonly sessionId: string }): UiChunk[] {
    return [{ type: "start", messageId: runId, messageMetadata: { bridle: { runId, sessionId } } }];
  }

  next(event: RunEvent): UiChunk[] {
    this.#usage.add(event);
    const told = this.#parts.next(event).flatMap((part) => this.#tell(part));
    const pauses = this.#pauses.next(event) !== undefined && event.seq > this.#pausesAfter;
    return pauses ? [...told, ...this.#end("tool-calls")] : told;
  }

  /** Returns the end chunks for a client when the server shuts down. The run itself is recorded. */
  breakOff(): UiChunk[] {
    return [{ type: "error", errorText: "The server ended this stream. Resume it when the server is back." }];
  }

  #tell(part: RunPart): UiChunk[] {
    switch (part.type) {
      case "opened":
        return this.#keep({ type: `${part.kind}-start`, id: part.id });
      case "grown":
        return this.#keep({ type: `${part.kind}-delta`, id: part.id, delta: part.text });
      case "closed":
        return part.isRewritten ? this.#rewrite(part) : this.#keep({ type: `${part.kind}-end`, id: part.id });
      case "voided":
        this.#ofStep = [];
        return [{ type: "reset-step" }];
      case "event":
        return this.#tellEvent(part.event);
    }
  }

  #keep(...chunks: UiChunk[]): UiChunk[] {
    this.#ofStep.push(...chunks);
    return chunks;
  }

  /** Changes a text. All parts of the step are sent again, because a single text cannot be voided. */
  #rewrite({ kind, id, text }: ClosedPart): UiChunk[] {
    const isOfBlock = (chunk: UiChunk) => "id" in chunk && chunk.id === id;
    const first = this.#ofStep.findIndex(isOfBlock);
    const rest = this.#ofStep.filter((chunk) => !isOfBlock(chunk));
    const whole: UiChunk[] = [
      { type: `${kind}-start`, id },
      { type: `${kind}-delta`, id, delta: text },
      { type: `${kind}-end`, id },
    ];
    this.#ofStep = [...rest.slice(0, first), ...whole, ...rest.slice(first)];
    return [{ type: "reset-step" }, ...this.#ofStep];
  }

  #tellEvent(event: OtherEvent): UiChunk[] {
    this.#inner.add(event);
    switch (event.type) {
      case "step.started": {
        const held = this.#closeStep();
        this.#hasStep = true;
        return [...held, { type: "start-step" }];
      }
      case "tool.requested": {
        const { callId } = event;
        const call = toCall(event);
        this.#calls.set(callId, call);
        this.#requested.set(callId, call);
        return [];
      }
      case "tool.started":
        return this.#showCall(event.callId);
      case "approval.requested":
        return this.#tellQuestion(event);
      case "approval.decided":
        return this.#tellAnswer(event);
      case "tool.denied":
        return this.#tellDenial(event);
      case "tool.finished":
        return this.#keep(toCallOutput(event));
      case "history.replaced":
        return this.#keep({ type: "data-history", data: { reason: event.reason, messages: event.messages.length } });
      case "run.finished":
        return this.#finish(event.result);
      default:
        return tellData(event);
    }
  }

  /**
   * Sends a call only when it runs or when its approval is requested, because clients wait for the outcome of every call that they
   * show.
   */
  #showCall(callId: string): UiChunk[] {
    const call = this.#requested.get(callId);
    this.#requested.delete(callId);
    return call ? this.#keep(call) : [];
  }

  #tellQuestion(event: Asked): UiChunk[] {
    const { approvalId, callId } = event;
    this.#asked.set(approvalId, callId);
    if (this.#inner.has(approvalId)) return this.#tellInnerQuestion(event);
    return [...this.#showCall(callId), ...this.#keep(toApprovalRequest(event, callId))];
  }

  /**
   * Sends the question in a separate step: clients send answers when every call of the last step has an answer, and the running call gets
   * none.
   */
  #tellInnerQuestion(event: Asked): UiChunk[] {
    const held = this.#closeStep();
    this.#hasStep = true;
    const asked = this.#keep(toInnerCall(event), toApprovalRequest(event, event.approvalId));
    return [...held, { type: "start-step" }, ...asked];
  }

  /** Ignores answers to questions of earlier runs. An edited call is sent again when it runs. */
  #tellAnswer(event: EventOf<"approval.decided">): UiChunk[] {
    const { approvalId, callId, decision, input } = event;
    if (!this.#asked.has(approvalId)) return [];
    if (this.#inner.has(approvalId)) return this.#keep(toApprovalResponse(event), toInnerOutcome(event));
    const call = this.#calls.get(callId);
    if (decision === "allow" && input !== undefined && call) this.#requested.set(callId, { ...call, input });
    return this.#keep(toApprovalResponse(event));
  }

  /**
   * Sends a denial. In this protocol, only a call with an approval request can be "denied". Other denials are errors with the model's text.
   */
  #tellDenial({ callId, output }: EventOf<"tool.denied">): UiChunk[] {
    const shown = this.#showCall(callId);
    const wasAsked = [...this.#asked.values()].includes(callId);
    const denied: UiChunk = wasAsked
      ? { type: "tool-output-denied", toolCallId: callId }
      : toOutputError(callId, output);
    return [...shown, ...this.#keep(denied)];
  }

  #finish({ stopReason, error }: EventOf<"run.finished">["result"]): UiChunk[] {
    if (stopReason === "error")
      return [
        ...this.#closeStep(),
        { type: "error", errorText: error?.message ?? "The run failed." },
        ...this.#end("error"),
      ];
    if (stopReason === "stopped") {
      const stopped: UiChunk = { type: "abort", reason: "The run was stopped." };
      return [...this.#closeStep(), stopped, ...this.#end("other")];
    }
    return this.#end(stopReason === "budget" ? "length" : "stop");
  }

  #end(finishReason: FinishReason): UiChunk[] {
    this.#isOver = true;
    const { total } = this.#usage;
    const usage = { inputTokens: wholeInput(total), outputTokens: total.outputTokens };
    return [...this.#closeStep(), { type: "finish", finishReason, messageMetadata: { usage } }];
  }

  #closeStep(): UiChunk[] {
    const hadStep = this.#hasStep;
    this.#hasStep = false;
    this.#ofStep = [];
    return hadStep ? [{ type: "finish-step" }] : [];
  }
}

/** Sends progress, limits and notices as transient data, which is not part of the message. */
function tellData(event: OtherEvent): UiChunk[] {
  const { seq: _seq, time: _time, runId: _run, sessionId: _session, type, ...fields } = event;
  const name = dataNames.get(type);
  return name ? [{ type: `data-${name}`, data: { event: type, ...fields }, transient: true }] : [];
}

const dataNames: ReadonlyMap<string, string> = new Map([
  ["tool.progress", "progress"],
  ["notice", "notice"],
  ...["warned", "reached", "waiting", "cleared"].map((each) => [`limit.${each}`, "limit"] as const),
]);
