import type { PolicyModeName } from "@bridle/core";
import type { LoadModuleOptions, Project } from "@bridle/project";
import {
  type AgentRuntime,
  type Logger,
  omitUndefined,
  silentLogger,
  type ToolKindContext,
  type ToolServices,
} from "@bridle/protocol";
import type { AgentDefinition } from "../definition/agent-definition.ts";
import { agentEmbeddings } from "./agent-embeddings.ts";

export interface ToolOptions {
  readonly logger?: Logger | undefined;
  /** Cancels opening the tools. */
  readonly signal?: AbortSignal | undefined;
  /** How the modules of function tools are loaded. */
  readonly loading?: LoadModuleOptions | undefined;
  /** The script that plays the model, if there is one. */
  readonly rehearse?: string | undefined;
  /** The mode of the caller, which overrides the files. */
  readonly mode?: PolicyModeName | undefined;
  /** The file of rules that replaces the project's. */
  readonly policyFile?: string | undefined;
}

/** The context in which the kinds of tools open the entries of an agent's file. */
export function toolContext(
  definition: AgentDefinition,
  project: Project,
  { logger = silentLogger, signal, loading, rehearse }: ToolOptions,
  runtime: AgentRuntime | undefined,
): ToolKindContext {
  const { baseDir, environment } = definition;
  const { projectDir, folder: stateDir } = project;
  const isRehearsed = rehearse !== undefined;
  const services = toolServices(definition, project, { runtime: runtime && (() => runtime), isRehearsed });
  return { baseDir, projectDir, stateDir, environment, logger, signal, loading, isRehearsed, services };
}

/** The services for the tools of an agent: its embedder, and its runtime if there is one. */
export function toolServices(
  definition: AgentDefinition,
  project: Project,
  { runtime, isRehearsed = false }: Pick<ToolServices, "runtime"> & Pick<ToolKindContext, "isRehearsed">,
): ToolServices {
  const embeddings = agentEmbeddings(definition);
  return {
    createEmbedder: (choice) => project.findEmbedder({ embeddings, choice: omitUndefined(choice), isRehearsed }),
    hasEmbedder: (choice) => project.checkEmbedder({ embeddings, choice: omitUndefined(choice), isRehearsed }),
    runtime,
  };
}
