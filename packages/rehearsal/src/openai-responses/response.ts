import type { ScriptAnswer } from "../engine/answer.ts";
import { created } from "../openai/created.ts";
import { toError } from "../openai/errors.ts";
import { type StopWords, toStopWord } from "../protocol/stop-words.ts";
import type { ScriptUsage } from "../script/script.ts";
import { type ResponseOptions, toResponsesOutput } from "./output.ts";

const stopWords: StopWords = {
  stop: ["completed"],
  calls: ["completed"],
  length: ["max_output_tokens"],
  refused: ["content_filter"],
};

/** Returns the answer in one piece. The last event of a stream contains it too. */
export function toResponse(answer: ScriptAnswer, options: ResponseOptions) {
  return {
    ...toOpening(answer, options),
    ...toEnd(answer),
    output: toResponsesOutput(answer, options),
    usage: toUsage(answer.usage),
  };
}

/** Returns the answer fields that are known before the answer starts. */
export function toOpening({ id }: ScriptAnswer, { model, isStored }: ResponseOptions) {
  return {
    id: `resp_${id}`,
    object: "response",
    created_at: created,
    status: "in_progress",
    error: null,
    incomplete_details: null,
    model,
    output: [],
    previous_response_id: null,
    store: isStored,
    usage: null,
  };
}

/** Returns how the answer ends. A script's `stop_reason` is the reason for an incomplete answer, or `failed`. */
function toEnd(answer: ScriptAnswer) {
  const reason = toStopWord(answer, stopWords);
  if (reason === "completed") return { status: "completed" };
  if (reason !== "failed") return { status: "incomplete", incomplete_details: { reason } };
  const { type, message } = toError({ status: 500 });
  return { status: "failed", error: { type, code: type, message } };
}

/** Returns the usage. Cached tokens are part of the input tokens, and reasoning is part of the output tokens. */
function toUsage({ input, output, reasoning, cacheRead, cacheWrite }: ScriptUsage) {
  const inputTokens = input + cacheRead + cacheWrite;
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cacheRead, ...(cacheWrite > 0 && { cache_write_tokens: cacheWrite }) },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: inputTokens + output,
  };
}
