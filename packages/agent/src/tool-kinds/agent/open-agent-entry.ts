import { ConfigError, type OpenedTools, type ToolKindContext } from "@bridle/protocol";
import { hasAgents } from "../../delegation/agent-services.ts";
import { agentTool } from "../../delegation/agent-tool.ts";
import type { AgentToolConfig } from "./agent-config.ts";

/** Opens the agent that an entry refers to as a tool. Throws ConfigError. */
export async function openAgentEntry(
  { name, description, file, max_steps, max_cost_usd, timeout }: AgentToolConfig,
  { services }: Pick<ToolKindContext, "services">,
): Promise<OpenedTools> {
  if (!hasAgents(services)) {
    throw new ConfigError("Tools of type agent belong to an agent. Open them with openAgent().", { field: "tools" });
  }
  const agent = await services.openAgent(file);
  const limits = { stepBudget: max_steps, maxCostUsd: max_cost_usd, timeoutMs: timeout && timeout * 1000 };
  return { tools: [agentTool(agent, { name, description, ...limits })], close: () => agent.close() };
}
