export { searchModes } from "@bridle/documents";
export {
  type AgentProjectOptions,
  type AgentSettings,
  findAgentProject,
  openAgentProject,
  openProjectFor,
  openWhole,
} from "./agent-settings.ts";
export { metricsOf, turnsOf } from "./config/case-turns.ts";
export { createEvaluationsSchema, createMetricsSchema, type MetricConfig, metricsSchema } from "./config/metrics.ts";
export type { ModelConfig } from "./config/model.ts";
export type { AgentConfig, AgentInput } from "./config/schema.ts";
export type { AgentDefinition } from "./definition/agent-definition.ts";
export { agentEmbeddings } from "./definition/agent-embeddings.ts";
export { AgentFileError } from "./definition/agent-file-error.ts";
export { agentJsonSchema } from "./definition/agent-json-schema.ts";
export { backendOf, modelProvider } from "./definition/agent-model.ts";
export { type DefineAgentOptions, defineAgent } from "./definition/define-agent.ts";
export { decidesCalls } from "./definition/host-block.ts";
export { type LoadAgentOptions, loadAgent } from "./definition/load-agent.ts";
export { type NamedFile, namedFiles } from "./definition/named-files.ts";
export type { AgentInstructions } from "./definition/read-instructions.ts";
export { shownConfig } from "./definition/shown-config.ts";
export { type AgentToolOptions, agentTool } from "./delegation/agent-tool.ts";
export type { CallableAgent } from "./delegation/callable-agent.ts";
export { type ModuleGraph, readModuleGraph } from "./modules/module-graph.ts";
export { type AgentDescription, agentDescriptionSchema } from "./opening/agent-description.ts";
export { type DescribeAgentOptions, describeAgent } from "./opening/describe-agent.ts";
export { findAgentProblems, findAgentWarnings, findToolNames } from "./opening/find-agent-problems.ts";
export {
  type AgentDocuments,
  type AgentDocumentsOptions,
  listAgentDocuments,
} from "./opening/list-agent-documents.ts";
export {
  type AgentSessionOptions,
  type OpenAgent,
  type OpenAgentOptions,
  openAgent,
  openAgentShape,
} from "./opening/open-agent.ts";
export { type AgentToolset, type OpenAgentToolsOptions, openAgentTools } from "./opening/open-agent-tools.ts";
export type { GeneratorOptions } from "./opening/open-generator.ts";
export type { OpenedEntry } from "./opening/open-tools.ts";
export type { RunLimits } from "./opening/session-request.ts";
export type { ToolOptions } from "./opening/tool-context.ts";
export { isPython } from "./python/is-python.ts";
export { PythonWorker } from "./python/python-worker.ts";
export { formatSource } from "./tool-kinds/documents/format-hits.ts";
export { namedPaths } from "./trust/code-content.ts";
export { effectiveFiles } from "./trust/effective-files.ts";
export { readTrusted } from "./trust/read-outside.ts";
