/** Ingest for a project. Combines the project's sources, models, warehouses, files and memory. */
import { existsSync } from "node:fs";
import type { ChangeFilesOptions, OpenedContext } from "@bridle/context";
import type {
  GateServices,
  IngestKnowledge,
  IngestModels,
  IngestSource,
  IngestStore,
  MemoryPlaces,
  MemoryScope,
  ScopedMemory,
  SourceServices,
  StoredRun,
  WhyAnswer,
} from "@bridle/ingest";
import type { Project } from "@bridle/project";
import { type AgentRuntime, ConfigError } from "@bridle/protocol";
import { openConnectionOf } from "../context/open-connection-of.ts";
import { chooseSources, livingSources, openAwaySources } from "./choose-sources.ts";
import type { IngestedSources, IngestRequest } from "./ingest-request.ts";
import { ProjectModels } from "./project-models.ts";
import { findRemovedSources } from "./removed-sources.ts";

export interface ProjectIngestOptions {
  /** The project's context. Ingest does not close it. */
  readonly context: OpenedContext;
  /** The runtime of the models. The caller closes it. Default: ingest creates a runtime with `createRuntime`. */
  readonly runtime?: AgentRuntime | undefined;
  /** Creates the runtime of the models at the first call. Ingest closes this runtime. Default: a runtime of the project. */
  readonly createRuntime?: (() => Promise<AgentRuntime>) | undefined;
  /** The whole standard input. Default: none. */
  readonly readInput?: (() => Promise<string>) | undefined;
  /** Whether a script plays the model. No database is then reached over a network. Default: false. */
  readonly isRehearsed?: boolean | undefined;
  /** Identifies the script, for example by its hash. Default: all scripts share their stored answers. */
  readonly script?: string | undefined;
}

type IngestModule = typeof import("@bridle/ingest");

/** Opens ingest for a project. Reads, connects and calls nothing before it is needed. Call `close()` when done. */
export async function openProjectIngest(project: Project, options: ProjectIngestOptions): Promise<ProjectIngest> {
  return new ProjectIngest(project, options, await import("@bridle/ingest"));
}

/** Ingest of a project. Close it after use. */
export class ProjectIngest {
  readonly #project: Project;
  readonly #options: ProjectIngestOptions;
  readonly #ingest: IngestModule;
  readonly #models: ProjectModels;
  readonly #warehouses = new Map<string, ReturnType<Project["openWarehouse"]>>();
  #store: IngestStore | undefined;

  /** Not called by programs, which use `openProjectIngest`. */
  constructor(project: Project, options: ProjectIngestOptions, ingest: IngestModule) {
    this.#project = project;
    this.#options = options;
    this.#ingest = ingest;
    const { runtime, isRehearsed, script } = options;
    const { createRuntime = () => project.createRuntime({ eventLog: "project" }) } = options;
    this.#models = new ProjectModels(project.settings, { runtime, createRuntime, isRehearsed, script });
  }

  /** Whether anything has been ingested or remembered. Creates no store. */
  get hasStore(): boolean {
    return existsSync(this.#ingest.ingestFile({ stateDir: this.#project.folder }));
  }

  /** Opens ingest's store, and creates it if it does not exist. Throws IngestStoreError. */
  get store(): IngestStore {
    this.#store ??= this.#ingest.openIngestStore({ stateDir: this.#project.folder });
    return this.#store;
  }

  /** The place where files are changed, and how. */
  get places(): MemoryPlaces & ChangeFilesOptions {
    const { projectDir, folder: stateDir, userFolder: userDir, settings } = this.#project;
    return { projectDir, stateDir, userDir, commit: this.#project.commitPermission, environment: settings.environment };
  }

  /** Returns the project's models, by the roles of ingest. */
  models(): IngestModels {
    return this.#models;
  }

  /** Returns the project's information for the gates, which check facts before they are stored. */
  gates(): GateServices {
    const { names, checkJoin, checkModelPart } = this.#knowledge();
    const removeSecrets = this.#ingest.createSecretRemoval(this.#project.redactor);
    return {
      names: names(),
      removeSecrets,
      ...(checkJoin && { checkJoin }),
      ...(checkModelPart && { checkModelPart }),
    };
  }

  /** Returns the remembered facts. Throws ConfigError if the scope is `user` and the environment has no home folder. */
  memory(scope: MemoryScope): ScopedMemory {
    return new this.#ingest.ScopedMemory(scope, this.places);
  }

  /** Explains why something is known: a page, claim, table, column, join, model or entry. Throws ConfigError and IngestStoreError. */
  why(key: string): WhyAnswer {
    const { decisions } = this.#ingest.readDecisions(this.places);
    return this.#ingest.explainKey(key, this.#ingest.provenanceOf(this.store, decisions));
  }

  /** Returns the newest run; undefined before the first one. */
  lastRun(): StoredRun | undefined {
    return this.hasStore ? this.store.runs.last() : undefined;
  }

  /**
   * Reads sources, lets models extract the important facts, checks them, and writes pages, models and notes about tables. Models are not
   * called again for unchanged parts. The report lists failures of models.
   *
   * @throws ConfigError if a setting or a source is wrong; IngestRunningError if another ingest is in progress; a BridleError of the
   * warehouse.
   */
  async run(request: IngestRequest = {}): Promise<IngestedSources> {
    await this.#project.requireTrust();
    const { ingest, writeKnowledge, buildReport, createItemFilter } = this.#ingest;
    const { dryRun = false, only = [], choose, sources: wanted = [] } = request;
    const { concurrency, budgetUsd, stepBudget, signal, onProgress, onStep } = request;
    const removed = this.#removed(request);
    const isOwnOnly = request.isOwnOnly ?? (removed.size > 0 && wanted.length === 0);
    const sources = isOwnOnly ? [] : await this.#sources(request);
    const { store } = this;
    const stored = store.sources.list().filter(({ name }) => !removed.has(name));
    const away = !isOwnOnly && wanted.length === 0 ? openAwaySources(stored, this.#project.settings) : [];
    const names = [...sources.map(({ name }) => name), ...Array.from(removed, (name) => `without ${name}`)];
    const reason = `ingest: ${names.join(", ") || "memory"}`;
    const { outcome, result } = await ingest({
      sources: [...sources, ...away, ...this.#ownSources()],
      store,
      models: this.#models,
      knowledge: this.#knowledge(),
      configured: livingSources(
        stored.map(({ name }) => name),
        this.#project.settings,
      ),
      redactor: this.#project.redactor,
      isWanted: isOwnOnly ? () => false : only.length === 0 ? undefined : createItemFilter(only),
      concurrency,
      budgetUsd,
      stepBudget,
      isPlan: dryRun,
      signal,
      isRehearsed: this.#isRehearsed(),
      asksNothing: isOwnOnly,
      ...(onProgress && { onProgress }),
      ...(onStep && { onStep }),
      finish: (candidates, reading) =>
        writeKnowledge(candidates, reading, {
          ...this.places,
          mode: dryRun ? "plan" : "apply",
          reason,
          choose,
          check: (files, options) => this.#options.context.metrics.checkFiles(files, options),
        }),
    });
    const before = result?.before ?? store.claims.list();
    return { report: buildReport({ outcome, ...result, before }), files: result?.changeSet.files ?? [] };
  }

  async close(): Promise<void> {
    await this.#models.close();
    const opened = await Promise.allSettled(this.#warehouses.values());
    await Promise.allSettled(opened.map((each) => (each.status === "fulfilled" ? each.value.close() : undefined)));
    this.#store?.close();
    this.#store = undefined;
  }

  async #sources({ sources: wanted, cwd, signal }: IngestRequest): Promise<readonly IngestSource[]> {
    const { settings } = this.#project;
    const sources = await chooseSources({ wanted, cwd, settings, services: this.#services(), signal });
    if (sources.length > 0 || (this.hasStore && this.store.sources.list().length > 0)) return sources;
    throw new ConfigError("bridle.yaml has no context.sources. Add one, or name a folder, a file, or - for a text.", {
      field: "context.sources",
    });
  }

  /** Throws ConfigError if a source to remove does not exist. */
  #removed({ remove: wanted = [], cwd }: IngestRequest): ReadonlySet<string> {
    if (wanted.length === 0) return new Set();
    const { settings } = this.#project;
    return findRemovedSources({ wanted, stored: this.hasStore ? this.store.sources.list() : [], cwd, settings });
  }

  #isRehearsed(): boolean {
    const { isRehearsed, runtime } = this.#options;
    return isRehearsed === true || runtime?.rehearsal !== undefined;
  }

  /** Remembered facts and handwritten pages are read in every run. */
  #ownSources(): readonly IngestSource[] {
    const { createMemorySource, createPagesSource } = this.#ingest;
    const pages = createPagesSource(this.#project.projectDir, () => this.store.claims.list());
    return [createMemorySource(this.memory("project")), pages];
  }

  #services(): SourceServices {
    const { readInput } = this.#options;
    return {
      projectDir: this.#project.projectDir,
      openWarehouse: (connection, signal) => this.#openWarehouse(connection, signal),
      ...(readInput && { readInput }),
    };
  }

  #openWarehouse(connection: string, signal: AbortSignal | undefined) {
    const opening =
      this.#warehouses.get(connection) ?? openConnectionOf(this.#project, connection, this.#options, signal);
    this.#warehouses.set(connection, opening);
    return opening;
  }

  #knowledge(): IngestKnowledge {
    const { context } = this.#options;
    return this.#ingest.createContextKnowledge({
      context,
      connections: this.#project.connections.map(({ name }) => name),
      modelFiles: () => this.#ingest.readProjectModels(this.#project.projectDir),
      checkModelFiles: (files, options) => context.metrics.checkFiles(files, options),
    });
  }
}
