/** Claude Code's agent loop through its Agent SDK, with a new process for each prompt. */
import { createSdkMcpServer, query, tool } from "@anthropic-ai/claude-agent-sdk";
import { z } from "zod";
import { hostEnvironment, hostOptions } from "./host-options.js";

export function start({ place: { environment, cwd } }) {
  const execute = async () => ({ content: [{ type: "text", text: "seen" }] });
  const look = tool("look", "Looks.", { at: z.number() }, execute);
  const options = { ...hostOptions, model: "sonnet", env: hostEnvironment(environment), cwd };
  return async (prompt) => {
    const mcpServers = { bench: createSdkMcpServer({ name: "bench", tools: [look] }) };
    const allowed = { mcpServers, allowedTools: ["mcp__bench__look"], includePartialMessages: true };
    for await (const message of query({ prompt, options: { ...options, ...allowed } })) {
      if (message.type === "result") return message.result;
    }
  };
}
