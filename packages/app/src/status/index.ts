/** The status of a project: its configuration, its checks and its models. */

export {
  backendNames,
  type Check,
  checkSchema,
  configJsonSchema,
  doctorSchema,
  type Models,
  modelsSchema,
  policySentence,
  readUsageLimits,
  type Status,
  statusSchema,
  type UsageLimits,
  usageLimitsSchema,
} from "@bridle/project";
export { findRuledAgent } from "./agent-file-check.ts";
export { type CheckProjectOptions, checkProject } from "./check-project.ts";
export { type DailyCosts, dailyCostsSchema, readDailyCosts } from "./daily-costs.ts";
export { describeProject } from "./describe-project.ts";
export { knownWindowsSchema, readKnownWindows, type UsageWindows } from "./known-windows.ts";
export { type ListAvailableModelsOptions, listAvailableModels } from "./list-models.ts";
export { type ProjectProcesses, projectProcessesSchema, readProjectProcesses } from "./project-processes.ts";
