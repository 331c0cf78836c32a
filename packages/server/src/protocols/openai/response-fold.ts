/** Converts the events of a run to a streamed response of OpenAI's Responses API. Pure. */
import { type ErrorReport, type EventOf, noUsage, type RunEvent, type Usage, usageSince } from "@bridle/protocol";
import { InnerQuestions } from "../shared/inner-questions.ts";
import { type OtherEvent, type RunPart, RunParts } from "../shared/run-parts.ts";
import { type Asked, RunPauses } from "../shared/run-pauses.ts";
import { UsageSum } from "../shared/usage-sum.ts";
import { type ItemEvent, ResponseItems } from "./response-items.ts";
import {
  type CallItem,
  type ResponseHead,
  type ResponseObject,
  type ResponseState,
  toResponseObject,
} from "./response-object.ts";

/** The label of the MCP server to which Bridle's tools seem to belong. */
const serverLabel = "bridle";

export interface ResponseEvent extends ItemEvent {
  readonly sequence_number: number;
}

/**
 * Folds the events of one run. A response ends when the run pauses, and the next response continues there. Pass all earlier events
 * to `skip`, call `begin`, and then pass the other events to `next` until `isOver`.
 */
export class ResponseFold {
  readonly #head: ResponseHead;
  readonly #showsReasoning: boolean;
  readonly #parts = new RunParts();
  readonly #pauses = new RunPauses();
  readonly #usage = new UsageSum();
  readonly #items = new ResponseItems();
  readonly #calls = new Map<string, CallItem>();
  readonly #inner = new InnerQuestions();
  #earlier: Usage = noUsage;
  #state: ResponseState = { status: "in_progress", output: [] };
  #sequence = 0;

  constructor(head: ResponseHead, { showsReasoning }: { readonly showsReasoning: boolean }) {
    this.#head = head;
    this.#showsReasoning = showsReasoning;
  }

  get isOver(): boolean {
    return this.#state.status !== "in_progress";
  }

  /** The response so far. */
  get response(): ResponseObject {
    return toResponseObject(this.#head, { ...this.#state, output: this.#items.output() });
  }

  /** Adds an event that was sent by an earlier response. */
  skip(event: RunEvent): void {
    this.#usage.add(event);
    this.#noteCall(event);
    this.#parts.next(event);
    this.#pauses.next(event);
    this.#earlier = this.#usage.total;
  }

  begin(): ResponseEvent[] {
    const response = this.response;
    return this.#number([
      { type: "response.created", response },
      { type: "response.in_progress", response },
    ]);
  }

  next(event: RunEvent): ResponseEvent[] {
    this.#usage.add(event);
    this.#noteCall(event);
    const told = this.#parts.next(event).flatMap((part) => this.#tell(part));
    const asked = this.#pauses.next(event);
    return this.#number([...told, ...(asked === undefined ? [] : this.#pause(asked))]);
  }

  /** Cuts off the running calls that wait for an answer. The next response contains them again. */
  #pause(asked: readonly Asked[]): ItemEvent[] {
    return [...this.#items.cut(), ...asked.flatMap((each) => this.#ask(each)), ...this.#end("completed")];
  }

  /** Returns the end events for a client when the server shuts down. The run itself is recorded. */
  breakOff(): ResponseEvent[] {
    const message = "The server ended this stream. Retrieve the response when the server is back.";
    return this.#number([{ type: "error", code: "stream-ended", message, param: null }]);
  }

  #number(events: readonly ItemEvent[]): ResponseEvent[] {
    return events.map((event) => ({ ...event, sequence_number: this.#sequence++ }));
  }

  #tell(part: RunPart): ItemEvent[] {
    if (part.type === "event") return this.#tellEvent(part.event);
    if (part.type === "voided") {
      for (const { kind, id } of part.blocks) if (this.#shows(kind)) this.#items.remove(`msg_${id}`);
      return [];
    }
    if (!this.#shows(part.kind)) return [];
    const id = `msg_${part.id}`;
    if (part.type === "opened") return this.#items.openText(part.kind, id);
    if (part.type === "grown") return [this.#items.growText(part.kind, id, part.text)];
    return this.#items.closeText({ ...part, id });
  }

  #shows(kind: "text" | "reasoning"): boolean {
    return kind === "text" || this.#showsReasoning;
  }

  /** Keeps the final input of a call. */
  #noteCall(event: RunEvent): void {
    this.#inner.add(event);
    if (event.type === "tool.requested") this.#calls.set(event.callId, toCallItem(event));
    if (!("callId" in event) || ("approvalId" in event && this.#inner.has(event.approvalId))) return;
    const call = this.#calls.get(event.callId);
    const change = changeOfCall(event);
    if (call && change) this.#calls.set(event.callId, { ...call, ...change });
  }

  #tellEvent(event: OtherEvent): ItemEvent[] {
    switch (event.type) {
      case "tool.started":
        return this.#openCall(event.callId);
      case "tool.finished":
        return this.#endCall(event.callId, event.ok ? { output: event.output } : { denied: event.output });
      case "tool.denied":
        return this.#endCall(event.callId, { denied: event.output });
      case "run.finished":
        return this.#finish(event.result);
      default:
        return [];
    }
  }

  /** Ends a call. If an earlier response cut the call off, it is sent again. */
  #endCall(callId: string, outcome: { output?: string; denied?: string }): ItemEvent[] {
    return [...this.#openCall(callId), ...this.#closeCall(callId, outcome)];
  }

  /** Sends a call only when it runs, because a response must not end with an unfinished call. */
  #openCall(callId: string): ItemEvent[] {
    const call = this.#calls.get(callId);
    return call && this.#items.call(call.id) === undefined ? this.#items.openCall(call) : [];
  }

  #closeCall(callId: string, { output, denied }: { output?: string; denied?: string }): ItemEvent[] {
    const call = this.#items.call(this.#calls.get(callId)?.id ?? "");
    if (call === undefined) return [];
    if (output !== undefined) return this.#items.closeCall({ ...call, status: "completed", output });
    const error = { type: "mcp_tool_execution_error", content: [{ type: "text", text: denied ?? "" }] } as const;
    return this.#items.closeCall({ ...call, status: "failed", error });
  }

  #ask({ approvalId: id, tool: name, input }: Asked): ItemEvent[] {
    const item = {
      type: "mcp_approval_request",
      id,
      server_label: serverLabel,
      name,
      arguments: toArguments(input),
    } as const;
    return [...this.#items.begin(item), ...this.#items.finish(item)];
  }

  #finish({ stopReason, error }: EventOf<"run.finished">["result"]): ItemEvent[] {
    const cut = this.#items.cut();
    if (stopReason === "natural") return [...cut, ...this.#end("completed")];
    if (stopReason === "error") return [...cut, ...this.#end("failed", { error: toError(error) })];
    if (stopReason === "stopped") return [...cut, ...this.#end("cancelled")];
    return [...cut, ...this.#end("incomplete", { incompleteReason: "max_output_tokens" })];
  }

  /** The stream of a cancelled response ends with `response.incomplete`, because the API has no event for cancellation. */
  #end(status: Exclude<ResponseState["status"], "in_progress">, more: Partial<ResponseState> = {}): ItemEvent[] {
    const usage = usageSince(this.#usage.total, this.#earlier);
    this.#state = { status, output: [], usage, ...more };
    return [{ type: `response.${status === "cancelled" ? "incomplete" : status}`, response: this.response }];
  }
}

function toCallItem({ runId, callId, tool, input }: EventOf<"tool.requested">): CallItem {
  const about = { type: "mcp_call", id: `mcp_${runId}_${callId}`, server_label: serverLabel, name: tool } as const;
  const outcome = { approval_request_id: null, output: null, error: null };
  return { ...about, status: "in_progress", arguments: toArguments(input), ...outcome };
}

function changeOfCall(event: RunEvent): Partial<CallItem> | undefined {
  if (event.type === "approval.requested") return { approval_request_id: event.approvalId };
  const isEdit = event.type === "approval.decided" && event.input !== undefined;
  return isEdit ? { arguments: toArguments(event.input) } : undefined;
}

function toArguments(input: unknown): string {
  return JSON.stringify(input ?? {});
}

/** Converts an error to an OpenAI error, with an error code of OpenAI if there is a suitable one. */
function toError(error: ErrorReport | undefined) {
  const code = error?.code === "usage_limit" || error?.code === "rate_limit" ? "rate_limit_exceeded" : "server_error";
  return { code, message: error?.message ?? "The run failed." };
}
