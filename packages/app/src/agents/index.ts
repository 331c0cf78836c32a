/** Agents' files: checking, describing and loading them. */
export { type AgentCheck, agentCheckSchema, checkAgentFile, formatProblem } from "./agent-check.ts";
export { describeAgentFile, readAgentJsonSchema } from "./describe-agent-file.ts";
export { defaultAgentFile, loadAgentFile, requireAgentFile } from "./load-agent-file.ts";
export type { AgentDefinition, AgentDescription } from "@bridle/agent";
export { backendNames } from "@bridle/project";
