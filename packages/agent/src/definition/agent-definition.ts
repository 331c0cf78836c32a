import type { Environment, EnvironmentValue, YamlFile } from "@bridle/project";
import type { JsonSchema } from "@bridle/protocol";
import type { AgentConfig } from "../config/schema.ts";
import type { AgentInstructions } from "./read-instructions.ts";

/** An agent's file, read and checked. */
export interface AgentDefinition {
  /** The whole path of the file. */
  readonly path: string;
  /** The file as messages name it. */
  readonly file: string;
  /** The folder of the file: paths in it are from here on. */
  readonly baseDir: string;
  /** What the file says, with variables filled in. */
  readonly config: AgentConfig;
  readonly instructions: AgentInstructions;
  /** Every answer is an object that fits this JSON Schema. */
  readonly responseFormat?: JsonSchema;
  /** What will be otherwise than the file says, in sentences. */
  readonly warnings: readonly string[];
  readonly environment: Environment;
  /** Where each setting stands, by path such as `tools.0.name`; texts with references to the environment; and those whose variables are not set. */
  readonly places: Pick<YamlFile<AgentConfig>, "positions" | "written" | "absent">;
  /** Texts that came from the environment, which are never shown. */
  readonly values: readonly EnvironmentValue[];
}
