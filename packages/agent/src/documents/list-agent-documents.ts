import type { Documents, IndexStatus, SearchMode } from "@bridle/documents";
import { type CreateRuntimeOptions, createRuntime, type Project, type ProjectOptions } from "@bridle/project";
import { type AgentRuntime, ConfigError, suggestion } from "@bridle/protocol";
import { modelOptions } from "../agent-model.ts";
import { openProjectFor } from "../agent-settings.ts";
import type { AgentDefinition } from "../definition/agent-definition.ts";
import { documentsServices } from "../opening/tool-services.ts";
import { placeOfIndex, removeDamagedIndex, statusOfIndex } from "./document-index.ts";
import { type DocumentsToolConfig, isDocuments, searchModeOf } from "./documents-config.ts";
import { openAgentDocuments } from "./open-agent-documents.ts";

/** The documents of one entry of `tools`, for those who look after the index. */
export interface AgentDocuments {
  readonly name: string;
  readonly searchMode: SearchMode;
  /** Where the index is kept, for people; no password is in it. */
  readonly place: string;
  /** As the agent searches them. Throws ConfigError. */
  open(): Promise<Documents>;
  /** Removes the file of the index where it is damaged, before it is made anew. Throws ConfigError. */
  removeDamaged(): void;
  /** What the index holds now; undefined where there is none. Opens no embedder and reads no document. */
  status(): Promise<IndexStatus | undefined>;
}

export interface AgentDocumentsOptions extends Pick<ProjectOptions, "project" | "projectDir" | "namespace" | "cwd"> {
  /** The only entry that is wanted. */
  tool?: string;
  /** Makes the runtime that describes parts. Default: the project's. */
  createRuntime?(options: CreateRuntimeOptions): Promise<AgentRuntime>;
}

/**
 * The documents of an agent, without the agent. Throws ConfigError where it has none, or none of that name. Call
 * `close()` when those that were opened are closed.
 */
export async function listAgentDocuments(
  definition: AgentDefinition,
  options: AgentDocumentsOptions = {},
): Promise<{ readonly documents: readonly AgentDocuments[]; close(): Promise<void> }> {
  const project = await openProjectFor(definition, options);
  const places = { baseDir: definition.baseDir, projectDir: project.projectDir, stateDir: project.folder };
  const describing = createDescribing(definition, project, options);
  const services = { ...documentsServices(definition, project), runtime: describing.runtime };
  const documents = wantedConfigs(definition, options.tool).map((config) => ({
    name: config.name,
    searchMode: searchModeOf(config),
    place: placeOfIndex(config, places).shown,
    open: () => openAgentDocuments(config, places, services),
    removeDamaged: () => removeDamagedIndex(config, places),
    status: () => statusOfIndex(config, places),
  }));
  return { documents, close: describing.close };
}

/** A runtime that is made when the first part is to be described. */
function createDescribing(definition: AgentDefinition, project: Project, options: AgentDocumentsOptions) {
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
    `The agent ${config.name} has no documents of the name ${wanted}. There are ${names.join(", ")}.${suggestion(wanted ?? "", names)}`,
    { field: "tools" },
  );
}
