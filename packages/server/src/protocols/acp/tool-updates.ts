/** Converts tool calls of runs to updates. Pure state. */
import type { SessionUpdate, ToolCallContent } from "@agentclientprotocol/sdk";
import type { Approval, EventOf, ImagePart, RunEvent } from "@bridle/protocol";
import { InnerQuestions } from "../shared/inner-questions.ts";
import { type DescribedCall, describeEditorCall } from "./describe-call.ts";

interface KnownCall extends DescribedCall {
  /** The id of the call in the session. It is unique, although runs of one session may use the same call ids. */
  readonly id: string;
}

export class ToolUpdates {
  readonly #calls = new Map<string, KnownCall>();
  readonly #inner = new InnerQuestions();

  /** Finds the call in the editor that a question of the newest run is about. */
  findAsked({ id, callId }: Pick<Approval, "id" | "callId">): KnownCall | undefined {
    return this.#calls.get(id) ?? this.#calls.get(callId);
  }

  /** Adds a call, and returns its description. */
  begin({ runId, callId, tool, input }: Pick<EventOf<"tool.requested">, "runId" | "callId" | "tool" | "input">) {
    const id = this.#calls.has(callId) ? `${runId}/${callId}` : callId;
    const call = { id, ...describeEditorCall(tool, input) };
    this.#calls.set(callId, call);
    return call;
  }

  add(event: RunEvent): readonly SessionUpdate[] {
    this.#inner.add(event);
    switch (event.type) {
      case "tool.requested":
        return this.#show(event);
      case "approval.requested":
        return this.#inner.has(event.approvalId) ? this.#show({ ...event, callId: event.approvalId }) : [];
      case "approval.decided":
        if (this.#inner.has(event.approvalId)) return this.#settle(event);
        return event.input === undefined ? [] : this.#update(event.callId, { rawInput: event.input });
      case "tool.started":
        return this.#update(event.callId, { status: "in_progress" });
      case "tool.progress":
        return this.#update(event.callId, { content: this.#contentOf(event.callId, event.message) });
      case "tool.denied":
        return this.#update(event.callId, {
          status: "failed",
          content: this.#contentOf(event.callId, event.output),
        });
      case "tool.finished":
        return this.#finish(event);
      default:
        return [];
    }
  }

  #show(call: Parameters<ToolUpdates["begin"]>[0]): readonly SessionUpdate[] {
    const { id, ...described } = this.begin(call);
    return [{ sessionUpdate: "tool_call", toolCallId: id, status: "pending", ...described }];
  }

  /**
   * Shows the answer to a question about a part of a running call. The editor shows the question as a call, and the answer as its result.
   */
  #settle({ approvalId, decision, input }: EventOf<"approval.decided">): readonly SessionUpdate[] {
    const status = decision === "allow" ? "completed" : "failed";
    return this.#update(approvalId, { status, ...(input !== undefined && { rawInput: input }) });
  }

  #finish({ callId, ok, output, images, structured }: EventOf<"tool.finished">): readonly SessionUpdate[] {
    return this.#update(callId, {
      status: ok ? "completed" : "failed",
      content: this.#contentOf(callId, output, images),
      ...(structured !== undefined && { rawOutput: structured }),
    });
  }

  /** Returns the content of an update. It repeats the differences, because an update replaces the content of the call. */
  #contentOf(callId: string, output: string, images: readonly ImagePart[] = []): ToolCallContent[] {
    return [...(this.#calls.get(callId)?.content ?? []), ...toCallContent(output, images)];
  }

  #update(callId: string, changes: object): readonly SessionUpdate[] {
    const call = this.#calls.get(callId);
    return call === undefined ? [] : [{ sessionUpdate: "tool_call_update", toolCallId: call.id, ...changes }];
  }
}

/** Converts the reply of a tool to content. */
export function toCallContent(output: string, images: readonly ImagePart[] = []): ToolCallContent[] {
  const text = output === "" ? [] : [{ type: "content" as const, content: { type: "text" as const, text: output } }];
  const pictures = images.map(({ data, mediaType }) => ({
    type: "content" as const,
    content: { type: "image" as const, data, mimeType: mediaType },
  }));
  return [...text, ...pictures];
}
