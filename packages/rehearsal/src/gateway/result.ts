import type { ScriptAnswer } from "../engine/answer.ts";
import { type StopWords, toStopWord } from "../protocol/stop-words.ts";
import type { ScriptUsage } from "../script/script.ts";

const stopWords: StopWords = {
  stop: ["stop"],
  calls: ["tool-calls"],
  length: ["length"],
  refused: ["content-filter"],
};

const unified = ["stop", "tool-calls", "length", "content-filter", "error"];

/** Returns why the answer ends, with the AI SDK's name and the script's name. */
export function toFinishReason(answer: ScriptAnswer) {
  const word = toStopWord(answer, stopWords);
  return { unified: unified.includes(word) ? word : "other", raw: answer.stopReason ?? word };
}

export function toGatewayUsage({ input, output, reasoning, cacheRead, cacheWrite }: ScriptUsage) {
  return {
    inputTokens: { total: input + cacheRead + cacheWrite, noCache: input, cacheRead, cacheWrite },
    outputTokens: { total: output, text: output - reasoning, reasoning },
  };
}

/** Returns the answer to a request that does not stream. */
export function toResult(answer: ScriptAnswer, modelId: string) {
  const { thinking, texts, calls } = answer;
  return {
    content: [
      ...(thinking === undefined ? [] : [{ type: "reasoning", text: thinking }]),
      ...texts.map((text) => ({ type: "text", text })),
      ...calls.map(toGatewayToolCall),
    ],
    finishReason: toFinishReason(answer),
    usage: toGatewayUsage(answer.usage),
    warnings: [],
    response: toMetadata(answer, modelId),
  };
}

export function toGatewayToolCall({ id, name, arguments: input }: ScriptAnswer["calls"][number]) {
  return { type: "tool-call", toolCallId: `call_${id}`, toolName: name, input };
}

export function toMetadata({ id }: ScriptAnswer, modelId: string) {
  return { id: `gen_${id}`, modelId, timestamp: "2026-01-01T00:00:00.000Z" };
}
