import type { PolicyModeName } from "@bridle/core";
import { openProjectContext, openProjectIngest, userMemoryInstructions } from "@bridle/data";
import { isOutside, type LoadModuleOptions, type Project, type RuntimeChoices } from "@bridle/project";
import {
  type AnyTool,
  ConfigError,
  type Logger,
  omitUndefined,
  silentLogger,
  type ToolKindContext,
  type ToolServices,
} from "@bridle/protocol";
import type { ModelConfig } from "../config/model.ts";
import type { AgentDefinition } from "../definition/agent-definition.ts";
import { agentEmbeddings } from "../definition/agent-embeddings.ts";
import type { AgentServices, NestedAgent } from "../delegation/agent-services.ts";
import { type AgentChain, beginChain, loadNested } from "../delegation/nested-files.ts";
import type { ContextServices } from "../tool-kinds/context/context-services.ts";
import { type GeneratorOptions, openGenerator } from "./open-generator.ts";

export interface ToolOptions extends GeneratorOptions {
  readonly logger?: Logger | undefined;
  /** Tools of the program, in addition to those of the file. */
  readonly tools?: readonly AnyTool[] | undefined;
  /** Cancels opening the tools. */
  readonly signal?: AbortSignal | undefined;
  /** How the modules of function tools are loaded. */
  readonly loading?: LoadModuleOptions | undefined;
  /** The script that plays the model, if there is one. */
  readonly rehearse?: RuntimeChoices["rehearse"];
  /** Whether anyone except the user of this machine can call the tools, for example over HTTP. Default: false. */
  readonly isShared?: boolean | undefined;
  /** The caller's mode, which overrides the modes in the files. */
  readonly mode?: PolicyModeName | undefined;
  /** The file with rules that replaces the project's rules. */
  readonly policyFile?: string | undefined;
}

/** The options of an agent that may call other agents, or is called by one. */
export interface NestingOptions extends ToolOptions {
  /** The files that lead to the agent, if it is a tool of another agent. */
  readonly chain?: AgentChain | undefined;
  /** Opens the agent that an entry of `tools` refers to. If missing, such entries are refused. */
  readonly openNested?: ((chain: AgentChain) => Promise<NestedAgent>) | undefined;
  /** Reads the file of the agent that an entry refers to. Default: the file is loaded without further checks. */
  readonly nestedFiles?: NestedFiles | undefined;
}

/** Information from the files of nested agents. */
export interface NestedFiles {
  /** Rejects with a ConfigError if the agent cannot be used. */
  check(chain: AgentChain): Promise<void>;
  /** The names of all tools that the agent's runs can call; undefined if the files do not show them. */
  names(chain: AgentChain): Promise<readonly string[] | undefined>;
}

/** Creates the context in which tool kinds open the entries of an agent file. */
export function toolContext(
  definition: AgentDefinition,
  project: Project,
  {
    logger = silentLogger,
    signal,
    loading,
    rehearse,
    isShared,
    openNested,
    nestedFiles,
    chain,
    ...options
  }: NestingOptions,
  runtime?: ToolServices["runtime"],
): ToolKindContext {
  const { baseDir, environment } = definition;
  const { projectDir, folder: stateDir } = project;
  const isRehearsed = rehearse !== undefined;
  const services = toolServices(definition, project, {
    runtime,
    isRehearsed,
    isShared,
    logger,
    generators: options,
    openNested,
    nestedFiles,
    chain,
  });
  return { baseDir, projectDir, stateDir, environment, logger, signal, loading, isRehearsed, services };
}

/** Creates the embedding model. `logger` gets a warning if texts for embeddings leave this machine unencrypted. */
interface ServiceOptions
  extends Pick<ToolKindContext, "isRehearsed">,
    Pick<NestingOptions, "isShared" | "openNested" | "nestedFiles" | "chain"> {
  readonly logger?: Logger | undefined;
  /** Options of the runtimes for models that entries name themselves. */
  readonly generators?: GeneratorOptions | undefined;
}

/** Whether a file is outside of the folder of an agent that is not trusted yet. */
function isUnread({ readOutside, baseDir }: AgentDefinition, file: string): boolean {
  return readOutside !== undefined && isOutside(baseDir, file);
}

/** Returns the services for the tools of an agent: its embedder, and its runtime if there is one. */
export function toolServices(
  definition: AgentDefinition,
  project: Project,
  {
    runtime,
    isRehearsed = false,
    isShared = false,
    logger,
    generators,
    openNested,
    nestedFiles,
    chain = beginChain(definition),
  }: Pick<ToolServices, "runtime"> & ServiceOptions,
): ContextServices & AgentServices {
  const embeddings = agentEmbeddings(definition);
  return {
    createEmbedder: (choice) =>
      project.findEmbedder({ embeddings, choice: omitUndefined(choice), isRehearsed, logger }),
    hasEmbedder: (choice) => project.checkEmbedder({ embeddings, choice: omitUndefined(choice), isRehearsed }),
    runtime,
    connectionNames: project.connections.map(({ name }) => name),
    openContext: async (choices) => {
      const embedder = await project.findEmbedder({ embeddings, isRehearsed, logger });
      return openProjectContext(project, { ...choices, embedder: embedder ?? "none" });
    },
    openIngest: (context, choices) => openProjectIngest(project, { ...choices, context }),
    isShared,
    rememberedForUser: () => userMemoryInstructions(project),
    async checkAgent(file) {
      if (!isUnread(definition, file)) await nestedFiles?.check(await loadNested(chain, file));
    },
    async reachableNames(file) {
      return isUnread(definition, file) ? undefined : nestedFiles?.names(await loadNested(chain, file));
    },
    async openAgent(file) {
      if (openNested) {
        const next = await loadNested(chain, file);
        next.tree.add(next.files);
        return openNested(next);
      }
      throw new ConfigError("Agents as tools cannot be opened here.", { field: "file" });
    },
    agentName: definition.config.name,
    openGenerator: (model) => openGenerator(definition, project, model as ModelConfig, { logger, ...generators }),
  };
}
