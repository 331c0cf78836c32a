import { hasContent, type ScriptAnswer } from "../engine/answer.ts";
import { toPieces } from "../protocol/pieces.ts";
import type { StreamEvent } from "../protocol/protocol.ts";
import { dataEvent, type NamedValue, type SsePart } from "../protocol/sse.ts";
import type { Ending } from "../script/script.ts";
import { toFinishReason, toGatewayToolCall, toGatewayUsage, toMetadata } from "./result.ts";

/** Yields a streamed answer as server-sent events, which are stream parts of the AI SDK. */
export function* toGatewayEvents(answer: ScriptAnswer, modelId: string, ending: Ending): Generator<StreamEvent> {
  if (ending !== "whole" && !hasContent(answer)) return;
  yield dataEvent(whole({ type: "stream-start", warnings: [] }));
  yield dataEvent(whole({ type: "response-metadata", ...toMetadata(answer, modelId) }));
  const blocks = toBlocks(answer);
  for (const [index, { begun, ended }] of blocks.entries()) {
    for (const part of begun) yield dataEvent(part);
    if (ending !== "whole" && index === blocks.length - 1) return;
    for (const part of ended) yield dataEvent(whole(part));
  }
  const finishReason = toFinishReason(answer);
  yield dataEvent(whole({ type: "finish", finishReason, usage: toGatewayUsage(answer.usage) }));
  yield { data: "data: [DONE]\n\n", isPiece: false };
}

/** A part of an answer: its pieces, and its end. */
interface Block {
  readonly begun: readonly SsePart<NamedValue>[];
  readonly ended: readonly NamedValue[];
}

function toBlocks({ thinking, texts, calls }: ScriptAnswer): Block[] {
  return [
    ...(thinking === undefined ? [] : [toTextBlock("reasoning", "reasoning-0", thinking)]),
    ...texts.map((text, index) => toTextBlock("text", `text-${index}`, text)),
    ...calls.map(toCallBlock),
  ];
}

function toTextBlock(kind: string, id: string, text: string): Block {
  const deltas = toPieces(text).map((delta) => ({ value: { type: `${kind}-delta`, id, delta }, isPiece: true }));
  return { begun: [whole({ type: `${kind}-start`, id }), ...deltas], ended: [{ type: `${kind}-end`, id }] };
}

function toCallBlock(call: ScriptAnswer["calls"][number]): Block {
  const end = toGatewayToolCall(call);
  const { toolCallId: id, toolName } = end;
  const deltas = toPieces(call.arguments).map((delta) => whole({ type: "tool-input-delta", id, delta }));
  return {
    begun: [whole({ type: "tool-input-start", id, toolName }), ...deltas],
    ended: [{ type: "tool-input-end", id }, end],
  };
}

function whole(value: NamedValue): SsePart<NamedValue> {
  return { value, isPiece: false };
}
