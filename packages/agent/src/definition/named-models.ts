/** Lists the models that an agent file names: the agent's own, those of its judges, and those that tools call. */
import type { ModelConfig } from "../config/model.ts";
import type { AgentConfig } from "../config/schema.ts";
import { findMappings } from "./find-mappings.ts";

export interface NamedModel {
  /** The path of the mapping, such as `evaluations.model`. */
  readonly field: string;
  readonly model: ModelConfig;
}

export function namedModels({ model, evaluations, test_cases, tools }: AgentConfig): NamedModel[] {
  return findMappings(
    { model, evaluations, test_cases, tools },
    (value, path) => /(?:^|\.)(?:context_)?model$/.test(path) && typeof value.provider === "string",
  ).map(({ path, value }) => ({ field: path, model: value as ModelConfig })); // the schema has checked it
}
