import type { Redactor } from "@bridle/core";
import {
  type AgentRuntime,
  type Backend,
  ConfigError,
  type EffectiveFile,
  type Embedder,
  type PermissionStore,
  type Policy,
  TrustedFolder,
  type TrustedState,
} from "@bridle/protocol";
import type { Store } from "@bridle/store-sqlite";
import type { Warehouse } from "@bridle/warehouse";
import type { ConfigInput } from "./config/schema.ts";
import type { Environment } from "./config/variables.ts";
import type { Check } from "./doctor/check.ts";
import { type CheckOptions, runChecks } from "./doctor/run-doctor.ts";
import { collectFacts, type SupportFacts } from "./doctor/support-facts.ts";
import { listProjectEffects } from "./effects/list-project-effects.ts";
import { policyEffects, skippingModes } from "./effects/setting-effects.ts";
import {
  checkEmbedder,
  createConfiguredEmbedder,
  type OpenEmbedderOptions,
  openEmbedder,
} from "./embeddings/open-embedder.ts";
import { openEventLogForReading, openForRuns, settingsRedactor } from "./event-log/event-log.ts";
import { findHostProblems } from "./hosts/find-host-problems.ts";
import { collectModels } from "./models/describe-models.ts";
import type { Models } from "./models/models-schema.ts";
import { bridleFolder, testRunsFolder } from "./namespace/folders.ts";
import { locateTenantProject, resolveEnvironment } from "./namespace/resolve-environment.ts";
import { type PermissionFile, permissionFiles, userFolder } from "./permissions/permission-files.ts";
import { createPermissionStore } from "./permissions/permission-store.ts";
import { type PolicyOptions, resolvePolicy } from "./runtime/policy.ts";
import { type RuntimeChoices, startRuntime } from "./runtime/start-runtime.ts";
import { type GivenEmbeddings, withEmbeddings } from "./settings/given-embeddings.ts";
import type { AssumedKey } from "./settings/given-provider.ts";
import { ProjectFile } from "./settings/project-file.ts";
import {
  buildSettings,
  pickSettings,
  type Settings,
  type SettingsOptions,
  withoutHostChoice,
} from "./settings/settings.ts";
import { collectStatus } from "./status/describe-status.ts";
import type { Status } from "./status/status-schema.ts";
import { trustEverything } from "./trust/folder-trust.ts";
import { findForeignState } from "./trust/foreign-state.ts";
import { requireOwnFiles } from "./trust/owner.ts";
import { summarizeTrust } from "./trust/trust-schema.ts";
import { type ListedConnection, listConnections } from "./warehouses/list-connections.ts";
import { openConnection, type WarehouseChoices } from "./warehouses/open-connection.ts";

export interface ProjectOptions extends SettingsOptions {
  /** A project that is open already. Its `bridle.yaml` is not located or read again: `projectDir` and `config` are ignored. */
  project?: Project | undefined;
  /**
   * The content of a `bridle.yaml`, as an object. The folder's `bridle.yaml` is then not read. `${NAME}` is replaced as in a file.
   *
   * @example
   * await createRuntime({ config: { llm: { models: { default: "opus" }, promptCaching: { historyTtl: "1h" } } } });
   */
  config?: ConfigInput | undefined;
  /** The folder where the search for the project starts. Default: the working directory. */
  cwd?: string | undefined;
}

/**
 * Locates and reads the project's `bridle.yaml`, and resolves its settings. A command or a program does this once, and uses the returned
 * handle for all its operations in the project. Without a `bridle.yaml` the defaults apply. Throws ConfigError if a setting is wrong.
 *
 * @example
 * const project = await openProject();
 * const runtime = await project.createRuntime();
 * const { text } = await runtime.generateText({ prompt: "Say hello." });
 * await runtime.close();
 */
export async function openProject(options: ProjectOptions = {}): Promise<Project> {
  const { project, config, cwd = process.cwd() } = options;
  if (project) return project.with(options);
  const location = locateTenantProject(options, cwd);
  if (options.trust !== undefined) requireOwnFiles(location); // without `trust`, the program's author chose the folder
  return new Project(await ProjectFile.open(location, cwd, config), pickSettings(options));
}

/** An open project: its settings, and everything that is made from them. It holds no resources, so it needs no `close()`. */
export class Project {
  readonly settings: Settings;
  /** The project's `bridle.yaml`, as it was when it was read. */
  readonly file: ProjectFile;
  /** The options that the project was opened with. */
  readonly options: SettingsOptions;
  #redactor: Redactor | undefined;

  /** Use `openProject()`. Throws ConfigError. */
  constructor(file: ProjectFile, options: SettingsOptions) {
    this.file = file;
    this.options = options;
    this.settings = buildSettings(file, options, resolveEnvironment(options, file.location));
  }

  /** The folder of the project. */
  get projectDir(): string {
    return this.settings.projectDir;
  }

  /** The environment variables for the project's file and host. */
  get environment(): Environment {
    return this.settings.environment;
  }

  /** The user that owns the state and credentials; undefined for the user of this process. */
  get namespace(): string | undefined {
    return this.settings.namespace;
  }

  /** The folder of the project's state: `.bridle`, or the namespace's folder in it. */
  get folder(): string {
    return bridleFolder(this.settings);
  }

  /** The user's own folder for all projects, for example for remembered facts; undefined if the environment has no home. */
  get userFolder(): string | undefined {
    return userFolder(this.settings);
  }

  /** The folder with test results, one file for each run of the tests. */
  get testRunsFolder(): string {
    return testRunsFolder(this.settings);
  }

  /** Removes the project's secrets, and the credentials of its environment. */
  get redactor(): Redactor {
    this.#redactor ??= settingsRedactor(this.settings);
    return this.#redactor;
  }

  /**
   * Returns the project with other options, which take precedence over the earlier ones. A key that is `undefined` keeps its earlier
   * value. The file is not read again. Throws ConfigError.
   *
   * @example
   * const cheap = project.with({ model: "haiku" });
   */
  with(changes: Omit<SettingsOptions, "projectDir">): Project {
    const given = pickSettings(changes);
    if (Object.keys(given).length === 0) return this;
    const { environment: _replaced, ...others } = this.options;
    const isNamespaced = Object.hasOwn({ ...others, ...given }, "namespace");
    const kept = given.processEnvironment === undefined || isNamespaced ? this.options : others;
    return new Project(this.file, { ...kept, ...given });
  }

  /** Returns the project without the options that choose a host or a model, such as `backend` and an agent's `provider`. */
  asConfigured(): Project {
    return new Project(this.file, withoutHostChoice(this.options));
  }

  /** The project's `bridle.yaml` and its effects; undefined if the project has none. */
  get effectiveFile(): EffectiveFile | undefined {
    const { projectDir, configFile, environment } = this.settings;
    if (configFile === undefined) return undefined;
    const parsed = this.file.asRead.parse(environment);
    return { path: configFile, effects: listProjectEffects(parsed, projectDir, environment) };
  }

  /**
   * Checks whether the project's file, its state and these other files are trusted, without asking the user. Without `trust`, all are
   * trusted. Throws ConfigError.
   */
  async checkTrust(others: readonly EffectiveFile[] = []): Promise<readonly TrustedState[]> {
    return (this.options.trust ?? trustEverything).check(await this.#withOwnFiles(others));
  }

  /**
   * Resolves if the project's file, its state and these other files are trusted, with the proof that they are. Call it
   * before running, sending or reading anything that these files configure. Throws ConfigError.
   */
  async requireTrust(others: readonly EffectiveFile[] = []): Promise<TrustedFolder> {
    return TrustedFolder.require(this.options.trust, await this.#withOwnFiles(others));
  }

  /** The proof that a commit of changed files needs; undefined if the project commits none. Rejects with a ConfigError. */
  get commitPermission(): (() => Promise<TrustedFolder>) | undefined {
    return this.settings.context.commit === true ? () => this.requireTrust() : undefined;
  }

  async #withOwnFiles(others: readonly EffectiveFile[]): Promise<EffectiveFile[]> {
    const own = this.effectiveFile;
    return [...(own === undefined ? [] : [own]), ...(await this.#foreignState()), ...others];
  }

  /**
   * Resolves if the project's state belongs to this user or is trusted. Call it before reading state. Throws ConfigError.
   */
  async requireOwnState(): Promise<void> {
    await this.options.trust?.require(await this.#foreignState());
  }

  /** Finds state of other users. None without `trust`, because the program's author chose the folder and so trusts its state. */
  async #foreignState(): Promise<EffectiveFile[]> {
    return this.options.trust === undefined ? [] : findForeignState({ ...this.settings, folder: this.folder });
  }

  /**
   * Returns the project's rules for tool calls, or the rules in `policyFile`, which is relative to `cwd`; undefined without rules. Throws
   * ConfigError.
   */
  policy(options: PolicyOptions = {}, cwd: string = process.cwd()): Promise<Policy | undefined> {
    return resolvePolicy(this.settings, options, cwd);
  }

  /** One sentence if the mode of the project's rules runs tools without asking the user; otherwise empty. */
  get skippedQuestions(): readonly string[] {
    return skippingModes(policyEffects(this.settings.policy, this.settings.written), this.settings.positions);
  }

  /** The files that store remembered answers about tool calls. */
  get permissionFiles(): readonly PermissionFile[] {
    return permissionFiles(this.settings);
  }

  /** Returns the store of remembered answers about tool calls. */
  permissions(): PermissionStore {
    return createPermissionStore(this.permissionFiles);
  }

  /**
   * Opens the event log for reading. Without an event log, the result is empty and no file is created. Throws StoreError, and ConfigError
   * if the state, or the file that names a database, belongs to another user and is not trusted. Call `close()` when done. With `creates`,
   * a missing event log is created, for programs that start to read before the first run.
   */
  async openEventLog({ creates = false } = {}): Promise<Store> {
    await (this.settings.eventLog === undefined ? this.requireOwnState() : this.requireTrust());
    return creates ? openForRuns(this.settings) : openEventLogForReading(this.settings);
  }

  /** Creates a runtime. Throws ConfigError. Call its `close()` when done. */
  async createRuntime(options: RuntimeChoices = {}): Promise<AgentRuntime> {
    if (options.rehearse !== undefined && this.options.auth !== undefined) {
      throw new ConfigError("A rehearsal uses no login and no key. Leave the auth mode out.", { field: "auth" });
    }
    return startRuntime(this.settings, { trusted: await this.requireTrust(), choices: options });
  }

  /**
   * Creates a runtime on your own backend, with the project's rules, event log and redaction, but without its hosts and limits. Throws
   * ConfigError. Call its `close()` when done.
   */
  async createRuntimeOn(backend: Backend, options: RuntimeChoices = {}): Promise<AgentRuntime> {
    return startRuntime(this.settings, { trusted: await this.requireTrust(), choices: options, backend });
  }

  /** Creates the configured embedder; if none is configured, its calls fail with a ConfigError. Call its `close()` when done. */
  async createEmbedder(): Promise<Embedder> {
    await this.requireTrust();
    return createConfiguredEmbedder(this.settings);
  }

  /** Creates the configured embedder; undefined if none is configured. Throws ConfigError. Call its `close()` when done. */
  async findEmbedder(options: OpenEmbedderOptions = {}): Promise<Embedder | undefined> {
    await this.requireTrust();
    return openEmbedder(this.settings, options);
  }

  /** Whether an embedder is configured. Throws ConfigError if it cannot be created. Needs no trust, because it loads and sends nothing. */
  checkEmbedder(options: OpenEmbedderOptions = {}): Promise<boolean> {
    return checkEmbedder(this.settings, options);
  }

  /** Finds the key for another file's embeddings, if no file names one. Throws ConfigError. */
  assumedKeyOf(embeddings: GivenEmbeddings | undefined): AssumedKey | undefined {
    return embeddings && withEmbeddings(this.settings, embeddings).assumedEmbeddingsKey;
  }

  /** The project's warehouses with their names and places. Opens none of them. */
  get connections(): readonly ListedConnection[] {
    return listConnections(this.settings);
  }

  /**
   * Opens one of the warehouses of the project. Throws ConfigError, AuthenticationError, NetworkError or TimeoutError, without
   * credentials. Call its `close()` when done.
   *
   * @example
   * const warehouse = await project.openWarehouse("shop");
   * const { rows } = await warehouse.query("SELECT count(*) FROM orders");
   */
  async openWarehouse(name: string, options: WarehouseChoices = {}): Promise<Warehouse> {
    await this.requireTrust();
    return openConnection(name, this.settings, options);
  }

  /** Lists the problems in the settings that prevent runs on the chosen host. Needs no trust, because it starts and sends nothing. */
  findHostProblems(): ConfigError[] {
    return findHostProblems(this.settings);
  }

  /** Describes the configuration in use. Calls no model and starts no process. */
  async status(): Promise<Status> {
    return collectStatus(this.settings, summarizeTrust(await this.checkTrust()));
  }

  /** Lists the models of the backend. Calls no model. Throws a BridleError if the host refuses or its answer is not as documented. */
  async models({ signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<Models> {
    await this.requireTrust();
    return collectModels(this.settings, signal);
  }

  /** Checks everything that a run needs. A fault is a failed check with a remedy, not an error. */
  async doctor(options: CheckOptions = {}): Promise<Check[]> {
    return runChecks(this.settings, await this.checkTrust(), options);
  }

  /** Collects the information that support needs, without credentials. Sends no request to a host. */
  async supportFacts(): Promise<SupportFacts> {
    return collectFacts(this.settings, this.file.text, await this.checkTrust());
  }
}
