import type { BackendEvent } from "@bridle/protocol";
import { ourToolName, structuredOutputName } from "../tools/tool-names.ts";
import type { HostMessage } from "./messages.ts";

type StreamEvent = Extract<HostMessage, { type: "stream_event" }>["event"];
type BlockStart = Extract<StreamEvent, { type: "content_block_start" }>;
type BlockDelta = Extract<StreamEvent, { type: "content_block_delta" }>;

/** Follows the inputs of calls while the model writes them. */
export class StreamedInputs {
  /** The calls of the current response, by the index of their content block. */
  readonly #calls = new Map<number, { callId: string; tool: string }>();

  startResponse(): void {
    this.#calls.clear();
  }

  start({ index, content_block: { type, id, name } }: BlockStart): void {
    const isCall = type === "tool_use" && id !== undefined && name !== undefined && name !== structuredOutputName;
    if (isCall) this.#calls.set(index, { callId: id, tool: ourToolName(name) });
  }

  eventsOf({ index = -1, delta: { partial_json: text } }: BlockDelta): BackendEvent[] {
    const call = this.#calls.get(index);
    return call && text ? [{ type: "input.delta", ...call, text }] : [];
  }
}
