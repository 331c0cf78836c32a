import type { ScriptAnswer } from "../engine/answer.ts";
import { hasContent } from "../engine/answer.ts";
import { created } from "../openai/created.ts";
import { toPieces } from "../protocol/pieces.ts";
import type { StreamEvent } from "../protocol/protocol.ts";
import { dataEvent } from "../protocol/sse.ts";
import type { Ending } from "../script/script.ts";
import { completionId, finishReasonOf, toChatToolCall, toChatUsage } from "./completion.ts";

export interface ChatChunkOptions {
  readonly model: string;
  /** Whether the client requested a last chunk with the usage. */
  readonly includesUsage: boolean;
}

/** Yields the chunks of a streamed answer, as server-sent events. */
export function* toChunkEvents(
  answer: ScriptAnswer,
  options: ChatChunkOptions,
  ending: Ending,
): Generator<StreamEvent> {
  if (ending !== "whole" && !hasContent(answer)) return;
  const chunk = (choices: object[], usage: object | null, isPiece = false) =>
    dataEvent({ value: { ...headOf(answer, options), choices, ...(options.includesUsage && { usage }) }, isPiece });
  for (const { delta, isPiece } of toDeltas(answer)) yield chunk([choice(delta, null)], null, isPiece);
  if (ending !== "whole") return;
  yield chunk([choice({}, finishReasonOf(answer))], null);
  if (options.includesUsage) yield chunk([], toChatUsage(answer.usage));
  yield { data: "data: [DONE]\n\n", isPiece: false };
}

function headOf(answer: ScriptAnswer, { model }: ChatChunkOptions) {
  return { id: completionId(answer), object: "chat.completion.chunk", created, model };
}

function choice(delta: object, finish_reason: string | null) {
  return { index: 0, delta, logprobs: null, finish_reason };
}

interface Delta {
  readonly delta: object;
  readonly isPiece: boolean;
}

function* toDeltas({ thinking = "", texts, calls }: ScriptAnswer): Generator<Delta> {
  yield { delta: { role: "assistant", content: "", refusal: null }, isPiece: false };
  for (const reasoning_content of toPieces(thinking)) yield { delta: { reasoning_content }, isPiece: true };
  for (const content of toPieces(texts.join("\n"))) yield { delta: { content }, isPiece: true };
  for (const [index, call] of calls.entries()) yield* callDeltas(call, index);
}

/** Yields a call: first its name, then its arguments in pieces. */
function* callDeltas(call: ScriptAnswer["calls"][number], index: number): Generator<Delta> {
  const whole = toChatToolCall(call);
  const head = { ...whole, index, function: { ...whole.function, arguments: "" } };
  yield { delta: { tool_calls: [head] }, isPiece: false };
  for (const json of toPieces(call.arguments))
    yield { delta: { tool_calls: [{ index, function: { arguments: json } }] }, isPiece: false };
}
