/** Mastra's agent loop on an address with OpenAI's chat completions API. */
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { z } from "zod";

export function start({ url }) {
  const look = createTool({
    id: "look",
    description: "Looks.",
    inputSchema: z.object({ at: z.number() }),
    execute: async () => "seen",
  });
  const model = { providerId: "bench", modelId: "llama-of-rehearsal", url: `${url}/v1`, apiKey: "bench" };
  const agent = new Agent({ id: "bench", name: "bench", instructions: "Be brief.", model, tools: { look } });
  return async (prompt) => {
    const stream = await agent.stream(prompt, { maxSteps: 9 });
    return await stream.text;
  };
}
