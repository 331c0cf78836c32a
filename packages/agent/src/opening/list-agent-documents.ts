import type { Documents, SearchMode, StoredChunk } from "@bridle/documents";
import { type CreateRuntimeOptions, createRuntime, type Project, type ProjectOptions } from "@bridle/project";
import { type AgentRuntime, ConfigError, suggestion } from "@bridle/protocol";
import { openProjectFor } from "../agent-settings.ts";
import type { AgentDefinition } from "../definition/agent-definition.ts";
import { modelOptions } from "../definition/agent-model.ts";
import {
  type ComparedIndex,
  locateIndex,
  readIndexChunks,
  readIndexStatus,
  removeDamagedIndex,
} from "../tool-kinds/documents/document-index.ts";
import { type DocumentsToolConfig, isDocuments, searchModeOf } from "../tool-kinds/documents/documents-config.ts";
import { openAgentDocuments } from "../tool-kinds/documents/open-agent-documents.ts";
import { readWhole } from "../trust/read-outside.ts";
import { toolServices } from "./tool-context.ts";

/** The documents of one entry of `tools`, for commands that maintain the index. */
export interface AgentDocuments {
  readonly name: string;
  readonly searchMode: SearchMode;
  /** The location of the index for display, without a password. */
  readonly location: string;
  /** Opens the documents as the agent does. Throws ConfigError. */
  open(): Promise<Documents>;
  /** Removes the index file if it is damaged, so that it can be rebuilt. Throws ConfigError. */
  removeDamaged(): void;
  /**
   * Returns the content of the index, compared with its sources; undefined without an index. Opens no embedding model and reads no
   * document.
   */
  status(): Promise<ComparedIndex | undefined>;
  /** Returns the passages of one file in the index, in their order; undefined if the index does not exist. */
  chunks(file: string): Promise<readonly StoredChunk[] | undefined>;
}

export interface AgentDocumentsOptions extends Pick<ProjectOptions, "project" | "projectDir" | "namespace" | "cwd"> {
  /** The name of the entry to list. Default: all entries. */
  tool?: string;
  /** Whether to return an empty list for an agent without documents. Default: it is an error. */
  mayBeNone?: boolean;
  /** Creates the runtime that describes passages. Default: the project's. */
  createRuntime?(options: CreateRuntimeOptions): Promise<AgentRuntime>;
}

/**
 * Lists the documents of an agent without opening the agent. Close the documents that you opened before you call `close()`.
 *
 * @throws ConfigError if the agent must have documents but has none, or none of that name.
 */
export async function listAgentDocuments(
  given: AgentDefinition,
  options: AgentDocumentsOptions = {},
): Promise<{ readonly documents: readonly AgentDocuments[]; close(): Promise<void> }> {
  const project = await openProjectFor(given, options);
  const definition = await readWhole(given, project);
  const folders = { baseDir: definition.baseDir, projectDir: project.projectDir, stateDir: project.folder };
  const describer = lazyRuntime(definition, project, options);
  const services = toolServices(definition, project, {
    runtime: describer.runtime,
    generators: { createRuntime: options.createRuntime },
  });
  const documents = wantedConfigs(definition, options).map((config) => ({
    name: config.name,
    searchMode: searchModeOf(config),
    location: locateIndex(config, folders).shown,
    open: () => openAgentDocuments(config, { ...folders, services }),
    removeDamaged: () => removeDamagedIndex(config, folders),
    status: () => readIndexStatus(config, folders),
    chunks: (file: string) => readIndexChunks(config, folders, file),
  }));
  return { documents, close: describer.close };
}

/** Creates the runtime when the first passage is described. */
function lazyRuntime(definition: AgentDefinition, project: Project, options: AgentDocumentsOptions) {
  const create = options.createRuntime ?? createRuntime;
  let made: Promise<AgentRuntime> | undefined;
  return {
    runtime() {
      made ??= create({ project, ...modelOptions(definition, {}) });
      return made;
    },
    close: async () => (await made?.catch(() => undefined))?.close(),
  };
}

function wantedConfigs(
  { config, file }: AgentDefinition,
  { tool: wanted, mayBeNone = false }: AgentDocumentsOptions,
): readonly DocumentsToolConfig[] {
  const all = (config.tools ?? []).filter(isDocuments);
  if (all.length === 0 && mayBeNone && wanted === undefined) return [];
  if (all.length === 0)
    throw new ConfigError(`The agent ${config.name} has no documents. Add a tool of the type documents to ${file}.`, {
      field: "tools",
    });
  const found = wanted === undefined ? all : all.filter(({ name }) => name === wanted);
  if (found.length > 0) return found;
  const names = all.map(({ name }) => name);
  throw new ConfigError(
    `The agent ${config.name} has no documents of the name ${wanted}. It has ${names.join(", ")}.${suggestion(wanted ?? "", names)}`,
    { field: "tools" },
  );
}
