/**
 * Agents written in YAML.
 *
 * @example
 * import { loadAgent, openAgent } from "bridle/agent";
 */
export {
  type AgentConfig,
  type AgentDefinition,
  type AgentDescription,
  AgentFileError,
  type AgentInput,
  type AgentInstructions,
  type AgentProjectOptions,
  type AgentSessionOptions,
  type AgentToolOptions,
  agentTool,
  type CallableAgent,
  type DefineAgentOptions,
  type DescribeAgentOptions,
  defineAgent,
  describeAgent,
  type GeneratorOptions,
  type LoadAgentOptions,
  loadAgent,
  type OpenAgent,
  type OpenAgentOptions,
  type OpenedEntry,
  openAgent,
  type RunLimits,
  type ToolOptions,
} from "@bridle/agent";
