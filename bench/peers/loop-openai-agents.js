/** The OpenAI Agents SDK's agent loop on the Responses API. */
import { Agent, OpenAIProvider, Runner, tool } from "@openai/agents";
import { z } from "zod";

export function start({ url }) {
  const modelProvider = new OpenAIProvider({ apiKey: "bench", baseURL: `${url}/v1`, useResponses: true });
  const runner = new Runner({ modelProvider, tracingDisabled: true });
  const look = tool({
    name: "look",
    description: "Looks.",
    parameters: z.object({ at: z.number() }),
    execute: async () => "seen",
  });
  const agent = new Agent({ name: "bench", instructions: "Be brief.", model: "gpt-6-sol", tools: [look] });
  return async (prompt) => {
    const result = await runner.run(agent, prompt, { stream: true, maxTurns: 9 });
    await result.completed;
    return result.finalOutput;
  };
}
