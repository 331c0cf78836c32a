/** Checks, describes and loads agent files. */

export { type AgentDefinition, type AgentDescription, agentDescriptionSchema } from "@bridle/agent";
export { backendNames } from "@bridle/project";
export { moduleOptions } from "../modules/load-tools.ts";
export { type AgentCheck, type AgentProblem, agentCheckSchema, checkAgentFile, formatProblem } from "./agent-check.ts";
export { type DescribeAgentFileOptions, describeAgentFile, readAgentJsonSchema } from "./describe-agent-file.ts";
export { defaultAgentFile, loadAgentFile, requireAgentFile } from "./load-agent-file.ts";
export { type ProblemLines, problemLinesSchema, readProblemLines } from "./problem-lines.ts";
