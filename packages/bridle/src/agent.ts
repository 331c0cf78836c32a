/**
 * Agents that are written in YAML.
 *
 * @example
 * import { loadAgent, openAgent } from "bridle/agent";
 */
export {
  type AgentDefinition,
  type AgentDescription,
  AgentFileError,
  type DescribeAgentOptions,
  describeAgent,
  type LoadAgentOptions,
  loadAgent,
  type OpenAgent,
  type OpenAgentOptions,
  openAgent,
} from "@bridle/agent";
