/** Anthropic's API through the AI SDK, streaming like Bridle. */
import { createAnthropic } from "@ai-sdk/anthropic";
import { streamText } from "ai";

export function createAsk({ apiKey, baseURL, model }) {
  const provider = createAnthropic({ apiKey, baseURL });
  return async (prompt) => {
    const result = streamText({ model: provider(model), instructions: "Be brief.", prompt, maxRetries: 0 });
    return await result.text;
  };
}
