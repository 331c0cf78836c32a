import type { Environment, EnvironmentValue, YamlFile } from "@bridle/project";
import type { FolderTrust, JsonSchema, ToolKind } from "@bridle/protocol";
import type { AgentConfig } from "../config/schema.ts";
import type { AgentInstructions } from "./read-instructions.ts";

/** An agent's file after it was read and checked. */
export interface AgentDefinition {
  /** The absolute path of the file. */
  readonly path: string;
  /** The name of the file in messages. */
  readonly file: string;
  /** The folder of the file. Relative paths in the file start here. */
  readonly baseDir: string;
  /** The content of the file, with variables replaced. */
  readonly config: AgentConfig;
  readonly instructions: AgentInstructions;
  /** If set, every answer is an object that fits this JSON Schema. */
  readonly responseFormat?: JsonSchema;
  /** Sentences about settings that have no effect, credentials in the file, and ground truths that a metric cannot compare with. */
  readonly warnings: readonly string[];
  readonly environment: Environment;
  /** The kinds of tools that the file was checked against. */
  readonly toolKinds: readonly ToolKind[];
  /** By path such as `tools.0.name`: positions of settings, references to the environment, and unset variables. */
  readonly sources: Pick<YamlFile<AgentConfig>, "positions" | "written" | "absent">;
  /**
   * Reads the agent again, with the files that it names outside of its folder. Set if they were not read because they are not trusted yet;
   * until then the instructions, schema and cases in them are missing.
   */
  readonly readOutside?: (() => Promise<AgentDefinition>) | undefined;
  /** Decides whether the file may take effect. Default: it may. */
  readonly trust?: FolderTrust | undefined;
  /** Values that came from the environment. They are never shown. */
  readonly values: readonly EnvironmentValue[];
}
