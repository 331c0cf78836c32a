import { type AgentRuntime, ConfigError, suggestion } from "@bridle/core";
import type { Documents, IndexStatus, SearchMode } from "@bridle/documents";
import {
  bridleFolder,
  type CreateRuntimeOptions,
  createRuntime,
  resolveSettings,
  type SettingsOptions,
} from "@bridle/project";
import { modelOptions } from "../../agent-model.ts";
import type { AgentDefinition } from "../../definition/agent-definition.ts";
import { toolServices } from "../../opening/tool-services.ts";
import { locateIndex, readIndexStatus, removeDamagedIndex } from "./document-index.ts";
import { type DocumentsToolConfig, isDocuments, searchModeOf } from "./documents-config.ts";
import { openAgentDocuments } from "./open-agent-documents.ts";

/** The documents of one entry of `tools`, for commands that maintain the index. */
export interface AgentDocuments {
  readonly name: string;
  readonly searchMode: SearchMode;
  /** The location of the index for people, without a password. */
  readonly place: string;
  /** Opens them as the agent does. Throws ConfigError. */
  open(): Promise<Documents>;
  /** Removes the file of the index if it is damaged, so that it can be built again. Throws ConfigError. */
  removeDamaged(): void;
  /** The content of the index; undefined if there is none. Opens no embedder and reads no document. */
  status(): Promise<IndexStatus | undefined>;
}

export interface AgentDocumentsOptions extends Pick<SettingsOptions, "projectDir" | "namespace"> {
  /** The folder in which the search for the project starts, upwards. Default: the working directory. */
  cwd?: string;
  /** The name of the only entry to list. Default: every entry. */
  tool?: string;
  /** Creates the runtime that describes passages. Default: the project's. */
  createRuntime?(options: CreateRuntimeOptions): Promise<AgentRuntime>;
}

/**
 * Lists the documents of an agent without opening the agent. Call `close()` after you closed the documents that you
 * opened.
 *
 * @throws ConfigError if the agent has no documents, or none of that name.
 */
export async function listAgentDocuments(
  definition: AgentDefinition,
  options: AgentDocumentsOptions = {},
): Promise<{ readonly documents: readonly AgentDocuments[]; close(): Promise<void> }> {
  const settings = await resolveSettings(projectOptions(definition, options), options.cwd);
  const { projectDir } = settings;
  const found = { ...options, projectDir };
  const folders = { baseDir: definition.baseDir, projectDir, stateDir: bridleFolder(settings) };
  const describer = lazyRuntime(definition, found);
  const services = { ...toolServices(definition, found), runtime: describer.runtime };
  const documents = wantedConfigs(definition, options.tool).map((config) => ({
    name: config.name,
    searchMode: searchModeOf(config),
    place: locateIndex(config, folders).shown,
    open: () => openAgentDocuments(config, { ...folders, services }),
    removeDamaged: () => removeDamagedIndex(config, folders),
    status: () => readIndexStatus(config, folders),
  }));
  return { documents, close: describer.close };
}

/** Which project the agent belongs to, and with which variables it is read. */
function projectOptions(
  { environment }: AgentDefinition,
  { projectDir, namespace }: AgentDocumentsOptions,
): Pick<SettingsOptions, "projectDir" | "namespace" | "environment" | "processEnvironment"> {
  return {
    ...(projectDir !== undefined && { projectDir }),
    ...(namespace === undefined ? { environment } : { namespace, processEnvironment: environment }),
  };
}

/** A runtime that is created for the first passage. */
function lazyRuntime(definition: AgentDefinition, options: AgentDocumentsOptions) {
  const create = options.createRuntime ?? createRuntime;
  let made: Promise<AgentRuntime> | undefined;
  return {
    runtime() {
      made ??= create({ ...projectOptions(definition, options), ...modelOptions(definition, {}) });
      return made;
    },
    close: async () => (await made?.catch(() => undefined))?.close(),
  };
}

function wantedConfigs({ config, file }: AgentDefinition, wanted?: string): readonly DocumentsToolConfig[] {
  const all = (config.tools ?? []).filter(isDocuments);
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
