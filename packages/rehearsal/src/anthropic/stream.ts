import type { ScriptAnswer } from "../engine/answer.ts";
import { toPieces } from "../protocol/pieces.ts";
import type { NamedValue, SsePart } from "../protocol/sse.ts";
import type { Ending } from "../script/script.ts";
import { type MessageBlock, stopReasonOf, toAnthropicUsage, toBlocks } from "./message.ts";

type Event = SsePart<NamedValue>;

/** Yields the events of a streamed answer, before they are framed for a host. */
export function* toAnthropicEvents(answer: ScriptAnswer, model: string, ending: Ending): Generator<Event> {
  const blocks = toBlocks(answer);
  if (ending !== "whole" && blocks.length === 0) return;
  yield event({ type: "message_start", message: opening(answer, model) });
  yield event({ type: "ping" });
  for (const [index, block] of blocks.entries()) {
    yield* blockEvents(block, index);
    if (ending !== "whole" && index === blocks.length - 1) return;
    yield event({ type: "content_block_stop", index });
  }
  const delta = { stop_reason: stopReasonOf(answer), stop_sequence: null };
  yield event({ type: "message_delta", delta, usage: toAnthropicUsage(answer.usage) });
  yield event({ type: "message_stop" });
}

function opening({ id, usage }: ScriptAnswer, model: string) {
  const first = { ...toAnthropicUsage(usage), output_tokens: Math.min(1, usage.output) };
  const head = { id: `msg_${id}`, type: "message", role: "assistant", model, content: [] };
  return { ...head, stop_reason: null, stop_sequence: null, usage: first };
}

function* blockEvents(block: MessageBlock, index: number): Generator<Event> {
  const delta = (part: object) => ({ type: "content_block_delta", index, delta: part });
  if (block.type === "text") {
    yield start(index, { type: "text", text: "" });
    for (const text of toPieces(block.text)) yield event(delta({ type: "text_delta", text }), true);
  } else if (block.type === "thinking") {
    yield start(index, { type: "thinking", thinking: "", signature: "" });
    for (const thinking of toPieces(block.thinking)) yield event(delta({ type: "thinking_delta", thinking }), true);
    yield event(delta({ type: "signature_delta", signature: block.signature }));
  } else {
    yield start(index, { type: "tool_use", id: block.id, name: block.name, input: {} });
    for (const partial_json of toPieces(block.arguments))
      yield event(delta({ type: "input_json_delta", partial_json }));
  }
}

function start(index: number, block: object): Event {
  return event({ type: "content_block_start", index, content_block: block });
}

function event(value: NamedValue, isPiece = false): Event {
  return { value, isPiece };
}
