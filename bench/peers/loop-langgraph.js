/** LangGraph's prebuilt agent on Anthropic's API. */
import { ChatAnthropic } from "@langchain/anthropic";
import { tool } from "@langchain/core/tools";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { z } from "zod";

export function start({ url }) {
  const model = { model: "claude-sonnet-5-5", apiKey: "bench", anthropicApiUrl: url, streaming: true, maxRetries: 0 };
  const schema = z.object({ at: z.number() });
  const look = tool(async () => "seen", { name: "look", description: "Looks.", schema });
  const agent = createReactAgent({ llm: new ChatAnthropic(model), tools: [look], prompt: "Be brief." });
  return async (prompt) => {
    const { messages } = await agent.invoke({ messages: [{ role: "user", content: prompt }] }, { recursionLimit: 50 });
    return messages.at(-1)?.text;
  };
}
