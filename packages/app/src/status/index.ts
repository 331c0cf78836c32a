/** What is configured, what works, and which models there are. */
export { checkProject, type CheckProjectOptions } from "./check-project.ts";
export { describeProject } from "./describe-project.ts";
export { listModels, type ListModelsOptions } from "./list-models.ts";
export {
  backendNames,
  type Check,
  configJsonSchema,
  doctorSchema,
  type Models,
  modelsSchema,
  policySentence,
  type Status,
  statusSchema,
} from "@bridle/project";
