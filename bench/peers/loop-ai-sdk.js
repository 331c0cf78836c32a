/** The AI SDK's agent loop on Anthropic's API. */
import { createAnthropic } from "@ai-sdk/anthropic";
import { stepCountIs, streamText, tool } from "ai";
import { z } from "zod";

export function start({ url }) {
  const model = createAnthropic({ apiKey: "bench", baseURL: `${url}/v1` })("claude-sonnet-5-5");
  const look = tool({ description: "Looks.", inputSchema: z.object({ at: z.number() }), execute: async () => "seen" });
  return async (prompt) => {
    const options = {
      model,
      instructions: "Be brief.",
      prompt,
      tools: { look },
      stopWhen: stepCountIs(9),
      maxRetries: 0,
    };
    return await streamText(options).text;
  };
}
