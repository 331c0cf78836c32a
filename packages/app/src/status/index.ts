/** The status of a project: its configuration, its checks and its models. */

export {
  backendNames,
  type Check,
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
export { type CheckProjectOptions, checkProject } from "./check-project.ts";
export { describeProject } from "./describe-project.ts";
export { type ListAvailableModelsOptions, listAvailableModels } from "./list-models.ts";
