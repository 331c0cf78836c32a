import type { ScriptAnswer } from "../engine/answer.ts";
import { created } from "../openai/created.ts";
import { type StopWords, toStopWord } from "../protocol/stop-words.ts";
import type { ScriptUsage } from "../script/script.ts";

const stopWords: StopWords = {
  stop: ["stop"],
  calls: ["tool_calls", "function_call"],
  length: ["length"],
  refused: ["content_filter"],
};

export function finishReasonOf(answer: ScriptAnswer): string {
  return toStopWord(answer, stopWords);
}

/** Returns the usage. Cached tokens are part of the prompt tokens, and reasoning is part of the completion tokens. */
export function toChatUsage({ input, output, reasoning, cacheRead, cacheWrite }: ScriptUsage) {
  const prompt = input + cacheRead + cacheWrite;
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: { cached_tokens: cacheRead, ...(cacheWrite > 0 && { cache_write_tokens: cacheWrite }) },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

/** Returns the answer to a request that does not stream. */
export function toCompletion(answer: ScriptAnswer, model: string) {
  const finish_reason = finishReasonOf(answer);
  return {
    id: completionId(answer),
    object: "chat.completion",
    created,
    model,
    choices: [{ index: 0, message: toMessage(answer), logprobs: null, finish_reason }],
    usage: toChatUsage(answer.usage),
  };
}

export function completionId({ id }: ScriptAnswer): string {
  return `chatcmpl-${id}`;
}

/** Returns the message of an answer. As on other servers, reasoning is in `reasoning_content`. */
function toMessage({ thinking, texts, calls }: ScriptAnswer) {
  return {
    role: "assistant",
    content: texts.length > 0 ? texts.join("\n") : null,
    refusal: null,
    ...(thinking !== undefined && { reasoning_content: thinking }),
    ...(calls.length > 0 && { tool_calls: calls.map(toChatToolCall) }),
  };
}

export function toChatToolCall({ id, name, arguments: json }: ScriptAnswer["calls"][number]) {
  return { id: `call_${id}`, type: "function", function: { name, arguments: json } };
}
