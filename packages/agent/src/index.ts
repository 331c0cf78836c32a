export type { AgentDefinition } from "./agent-definition.ts";
export { AgentFileError } from "./agent-file-error.ts";
export type { AgentConfig } from "./config/schema.ts";
export { type LoadAgentOptions, loadAgent } from "./load-agent.ts";
export { type OpenAgent, type OpenAgentOptions, openAgent } from "./open-agent.ts";
export type { OpenedTools, Surroundings } from "./opened-tools.ts";
export type { AgentInstructions } from "./read-instructions.ts";
