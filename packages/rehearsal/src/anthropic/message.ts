import type { ScriptAnswer } from "../engine/answer.ts";
import { type StopWords, toStopWord } from "../protocol/stop-words.ts";
import type { ScriptUsage } from "../script/script.ts";

/** A part of an answer. A call's `arguments` are JSON, unless the script contains invalid JSON. */
export type MessageBlock =
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly arguments: string };

/** Returns the parts of an answer in the order in which a model writes them. */
export function toBlocks({ thinking, texts, calls }: ScriptAnswer): MessageBlock[] {
  return [
    ...(thinking === undefined ? [] : [{ type: "thinking" as const, thinking, signature: "cmVoZWFyc2Fs" }]),
    ...texts.map((text) => ({ type: "text" as const, text })),
    ...calls.map(({ id, name, arguments: input }) => ({
      type: "tool_use" as const,
      id: `toolu_${id}`,
      name,
      arguments: input,
    })),
  ];
}

const stopWords: StopWords = {
  stop: ["end_turn", "stop_sequence"],
  calls: ["tool_use"],
  length: ["max_tokens", "model_context_window_exceeded"],
  refused: ["refusal"],
};

export function stopReasonOf(answer: ScriptAnswer): string {
  return toStopWord(answer, stopWords);
}

export function toAnthropicUsage({ input, output, cacheRead, cacheWrite }: ScriptUsage) {
  return {
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheWrite,
  };
}

/** Returns the answer to a request that does not stream. */
export function toAnthropicMessage(answer: ScriptAnswer, model: string) {
  return {
    id: `msg_${answer.id}`,
    type: "message",
    role: "assistant",
    model,
    content: toBlocks(answer).map(toContent),
    stop_reason: stopReasonOf(answer),
    stop_sequence: null,
    usage: toAnthropicUsage(answer.usage),
  };
}

function toContent(block: MessageBlock) {
  if (block.type !== "tool_use") return block;
  return { type: block.type, id: block.id, name: block.name, input: readInput(block.arguments) };
}

/** Parses arguments for an answer in one piece. Invalid JSON becomes a string, because the answer itself is JSON. */
function readInput(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
