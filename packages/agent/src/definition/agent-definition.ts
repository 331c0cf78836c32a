import type { Environment, EnvironmentValue, YamlFile } from "@bridle/project";
import type { FolderTrust, JsonSchema, ToolKind } from "@bridle/protocol";
import type { AgentConfig } from "../config/schema.ts";
import type { AgentInstructions } from "./read-instructions.ts";

/** An agent file after it was read and checked. */
export interface AgentDefinition {
  /** The absolute path of the file. */
  readonly path: string;
  /** The name of the file in messages. */
  readonly file: string;
  /** The folder of the file. Relative paths in the file are resolved against it. */
  readonly baseDir: string;
  /** The content of the file, with variables replaced. */
  readonly config: AgentConfig;
  readonly instructions: AgentInstructions;
  /** If set, every answer is an object that matches this JSON Schema. */
  readonly responseFormat?: JsonSchema;
  /** Warnings about settings without effect, credentials in the file, and ground truths that a metric cannot compare with. */
  readonly warnings: readonly string[];
  readonly environment: Environment;
  /** The kinds of tools that the file was checked against. */
  readonly toolKinds: readonly ToolKind[];
  /** Positions of settings, references to the environment, and unset variables, by path such as `tools.0.name`. */
  readonly sources: Pick<YamlFile<AgentConfig>, "positions" | "written" | "absent">;
  /**
   * Reads the agent again, with the files outside of its folder. Set if these were not read because they are not trusted yet; until then
   * the instructions, schema and cases in them are missing.
   */
  readonly readOutside?: (() => Promise<AgentDefinition>) | undefined;
  /** Decides whether the file may be used. Default: it may. */
  readonly trust?: FolderTrust | undefined;
  /** Values that came from the environment. They are never shown. */
  readonly values: readonly EnvironmentValue[];
}
