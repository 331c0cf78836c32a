/**
 * The definition of a model host: everything that Bridle knows about it. The configuration schema, requirements, status, doctor, models,
 * rehearsals and the proposals of `bridle init` follow from it. A new host therefore needs one folder with a definition, and one line in
 * the registry of hosts.
 *
 * Every program imports the definition, even if it uses another host. So the definition itself imports nothing heavy:
 * everything that needs the host's packages is in `Host`, which `load()` imports.
 */
import type { z } from "zod";
import type { FileKey } from "../tools/tool-kind.ts";
import type { EffectSummary } from "../trust/folder-effect.ts";
import type { Backend, BackendFeatures, HostSettings } from "./backend.ts";
import type { ModelListing, ModelPrices, ModelTable } from "./host-models.ts";

export type HostEnvironment = Readonly<Record<string, string | undefined>>;

/** The validated settings of a host: its keys below `llm.provider`. `backend` is the host's id. */
export interface HostConfig {
  readonly backend: string;
  readonly [key: string]: unknown;
}

/** `Config` is the type of the settings that the functions receive. In the registry, the type is `HostDefinition` without a parameter. */
export interface HostDefinition<Config extends HostConfig = HostConfig, Id extends string = string> {
  /** The value of `llm.provider.backend`. */
  readonly id: Id;
  /** The host's name in messages, such as "Claude Code". */
  readonly title: string;
  readonly settings: HostSettingsForm;
  /** Settings that are needed to reach the host, in addition to those of `auth`. */
  readonly needs: readonly SettingNeed[];
  /** The modes of the `auth` key, for a host that reads its credentials from the environment. */
  readonly auth?: HostAuth<Config>;
  /** Finds settings that contradict each other, or that are not allowed in a namespace. Returns undefined if there are none. */
  findConflict?(config: Config, use: HostUse): SettingConflict | undefined;
  /** Describes the credentials if none are configured, such as "the login of Claude Code". */
  withoutCredentials?(config: Config): string;
  /** Returns how the user logs in, as a clause such as `run "claude" once and log in`. Undefined if the settings use no login. */
  loginAdvice?(config: Config, tenantFolder?: string): string | undefined;
  /** The variables and folders that separate the host's own state by namespace. */
  readonly tenant?: HostTenant;
  readonly models: HostModelNames<Config>;
  /** Whether the host accepts `temperature` and `topP`. */
  readonly hasSampling: boolean;
  /** False only for `none`, which has no models. */
  readonly hasModels?: false;
  /** The forms of `model` in an agent file that select this host. */
  readonly agentModels?: readonly AgentModelForm[];
  /** A block of an agent file that is for this host only. */
  readonly agentBlock?: AgentBlock;
  /** The providers that `bridle init` can propose, the best first. */
  readonly init?: readonly HostProposal[];
  /** Imports the part that needs the host's packages. */
  load(): Promise<Host<Config>>;
}

/** The keys of `llm.provider`, in addition to `backend`. */
export interface HostSettingsForm {
  readonly shape: Readonly<Record<string, z.ZodType>>;
  /** A check of all keys together. */
  readonly check?: z.core.CheckFn<object>;
  /** Keys that contain credentials. Their values are never shown. */
  readonly secretKeys?: readonly string[];
  /** Keys that point to a credential, such as the path of a key file. Lists of credentials include them. */
  readonly credentialKeys?: readonly string[];
  /** Keys that do not affect how the host is reached. Every command fails if a variable in such a key is not set. */
  readonly plainKeys?: readonly string[];
}

/** Alternative sets of required settings; one set is enough. Each setting has an example value for the remedy. The first set is the usual one. */
export interface SettingNeed {
  readonly ways: readonly Readonly<Record<string, string>>[];
  /** A setting that makes all these sets unnecessary if it has this value. */
  readonly unless?: { readonly key: string; readonly value: string };
}

export interface HostAuth<Config extends HostConfig = HostConfig> {
  readonly modes: readonly string[];
  modeOf(config: Config): string;
  /** Lists the variables that the mode needs and the environment lacks. Alternatives are joined by "or". */
  missing(config: Config, environment: HostEnvironment): readonly string[];
  /** Lists the credentials in the environment that the mode does not use. */
  unused(config: Config, environment: HostEnvironment): readonly string[];
}

/** How a host's settings are used. */
export interface HostUse {
  /** Whether the settings are used in a namespace, which cannot use the machine's login. */
  readonly isNamespaced: boolean;
  /** Whether the file has the setting, even if its variable is not set. */
  has(key: string): boolean;
}

export interface SettingConflict {
  readonly key: string;
  /** The problem and the remedy, which follow the path of the key. */
  readonly message: string;
}

export interface HostTenant {
  /** Returns variables that make the host use the namespace's own folder. They override the given variables. */
  variables(folder: string): Readonly<Record<string, string>>;
  /** Lists the host's folders in the namespace's folder. Only this user may read them. */
  folders(folder: string): readonly string[];
}

export interface HostModelNames<Config extends HostConfig = HostConfig> {
  /** Hosts of the same family accept the same model names. */
  readonly family?: string;
  /** The model if none is configured. */
  readonly default?: string;
  /** The host whose table has the figures and prices of these models. */
  readonly tableOf?: string;
  /** Whether `llm.prices` applies. If false, the host reports the cost of a run itself. */
  readonly takesPrices: boolean;
  /** Whether the user pays the table's prices. Default: true. */
  pricesApply?(config: Config): boolean;
  /**
   * Returns the sentence that refuses a model name that the host does not accept. Undefined if the name is accepted or only a request can
   * tell. Default: undefined.
   */
  refusal?(model: string, config: Config): string | undefined;
  /** Short names, for suggestions. */
  readonly aliases?: readonly string[];
}

/** The part of a host that needs the host's packages. */
export interface Host<Config extends HostConfig = HostConfig> {
  /** Creates the backend. Throws ConfigError if the settings cannot work. */
  create(config: Config, context: HostContext): HostBackend;
  /** Returns the features of the host. Needs no credentials. */
  features(config: Config, context: HostContext): BackendFeatures;
  /** Runs rehearsals. Leave it out if the scripted model server does not support the host's protocol: rehearsals are then refused. */
  readonly rehearsal?: HostRehearsal<Config>;
  /** Lists the host's models, without calling a model. Throws a BridleError if the host refuses or cannot be reached. */
  listModels(config: Config, context: HostContext & { readonly signal: AbortSignal }): Promise<ModelListing>;
  /** Returns the models that are known without a request. */
  modelTable?(): ModelTable;
  /** The input names of the host's own tools. The inputs of tools that are not listed are unknown. */
  readonly builtinInputs?: Readonly<Record<string, readonly string[]>>;
  /** Returns the versions of the installed programs and packages, by name. Throws ConfigError if one of them is not installed. */
  versions?(): Readonly<Record<string, string>>;
  /** Returns the programs and packages that a result depends on, with their versions. Throws ConfigError if they are missing. */
  packages?(): Readonly<Record<string, string>>;
  /** Describes further settings for `bridle status`. */
  describe?(config: Config): HostDescription;
  readonly checks?: HostChecks<Config>;
}

export interface HostContext {
  readonly environment: HostEnvironment;
  readonly prices: ModelPrices;
  /** The file with the settings, for messages. */
  readonly configFile?: string;
}

/** A backend that may keep processes for later conversations. */
export interface HostBackend extends Backend {
  /** Returns the state of the process pool; undefined if the backend has none. */
  pool?(): HostPoolState | undefined;
}

export interface HostPoolState {
  /** The number of processes that wait for a conversation. */
  readonly idle: number;
  /** The number of processes that serve a conversation, or are being prepared for the next one. */
  readonly busy: number;
  /** The number of conversations that got a waiting process. */
  readonly reused: number;
}

/** Runs a rehearsal: the real host with a scripted model server. */
export interface HostRehearsal<Config extends HostConfig = HostConfig> {
  /** Whether the host keeps state on disk and so needs a temporary folder. */
  readonly needsFolder: boolean;
  /** Whether the host usually keeps a session's conversation for the next run. In a rehearsal, no host does. */
  readonly keepsSessions: boolean;
  /**
   * Creates the backend. `url` is the address of the model server, `config` the settings that are rehearsed. The backend uses neither
   * logins nor keys of the user.
   */
  create(scene: RehearsalScene<Config>): HostBackend;
}

export interface RehearsalScene<Config extends HostConfig = HostConfig> {
  readonly url: string;
  readonly folder: string;
  readonly environment: HostEnvironment;
  readonly config: Config;
}

export interface HostDescription {
  /** The configured limits of the process pool; false if the host keeps no processes. */
  readonly pool?: false | Readonly<Record<string, number | undefined>>;
}

/** The checks of `bridle doctor` that only some hosts have. */
export interface HostChecks<Config extends HostConfig = HostConfig> {
  /** Checks the host's packages and programs on this machine. */
  installation?(): CheckFinding;
  /**
   * Describes where the host looked for a login without finding one. Returns undefined if there is a login, if the settings use no login,
   * or if only the host can tell. Sends nothing and starts nothing.
   */
  missingLogin?(config: Config, context: HostCheckContext): string | undefined;
  /** Lists settings of the machine and the project that the host could read, and whether they have an effect. */
  implicitSources?(config: Config, context: HostCheckContext): Promise<CheckFinding>;
  /** Proves that only the caller's input reaches the model. Runs the host with a rehearsed model. */
  boundary?(config: Config, context: HostCheckContext): Promise<CheckFinding>;
}

export interface HostCheckContext {
  readonly projectDir: string;
  readonly environment: HostEnvironment;
  readonly signal?: AbortSignal | undefined;
}

/** The finding of a check. If `ok` is true and there is a remedy, the finding is a warning. */
export interface CheckFinding {
  readonly ok: boolean;
  readonly detail: string;
  /** The remedy. Required if the check failed. */
  readonly remedy?: string;
}

/** The variable with a provider's key, used if an agent file names no key, as in HoloDeck files. */
export interface UsualKey {
  readonly variable: string;
  /** Whether the key may go to the address in the file. Default: only to the provider's own address. */
  readonly isForAddress?: boolean;
}

/** A form of `model` in an agent file. */
export interface AgentModelForm {
  /** The value of `model.provider`. */
  readonly provider: string;
  /** The value of `model.runtime`, if several hosts run the models of this provider. */
  readonly runtime?: string;
  /** The schemas of its keys, in addition to the keys of every model. */
  readonly shape: Readonly<Record<string, z.ZodType>>;
  /** The variable with this provider's key, for files that name no key. */
  readonly usualKey?: UsualKey;
  /** A check of all keys together. */
  readonly check?: z.core.CheckFn<Readonly<Record<string, unknown>>>;
  /** Derives settings of the host from the provider's name and address. Other keys are copied unchanged. */
  settings(model: Readonly<Record<string, unknown>>): HostConfig;
}

/** A block of an agent file, such as `claude`. */
export interface AgentBlock<Config = unknown> {
  readonly key: string;
  readonly schema: z.ZodType<Config>;
  /** The keys of the block that name a file or a folder. */
  readonly files: readonly FileKey[];
  /** A key that sets the same limit as a field of the agent file. Only one of the two may be set. */
  readonly sameLimit?: { readonly key: string; readonly field: readonly [string, string] };
  /** Whether the block affects which tool calls may run. */
  decidesCalls(config: Config): boolean;
  /** Lists the block's effects on this machine, which the user has to trust first. Default: everything that the host can do. */
  effects?(config: Config): readonly EffectSummary[];
  /**
   * Describes in a few words the block's settings that affect which tools the model gets and which calls may run. The user has to trust
   * them, too.
   */
  callRules?(config: Config): readonly string[];
  /** Lists the absolute paths of files and folders that the host loads by itself and that can run code, such as its settings. */
  loadedFiles?(config: Config, folders: Pick<AgentBlockContext, "baseDir" | "projectDir">): readonly string[];
  /** Imports the function that opens the block. */
  load(): Promise<{ open(config: Config, agent: AgentBlockContext): Promise<OpenedAgentBlock> }>;
}

export interface AgentBlockContext {
  readonly model: string;
  /** The names of the agent's own tools. */
  readonly tools: readonly string[];
  /** Whether the agent has more tools whose names are not known yet, because their source was not opened. Default: false. */
  readonly hasUnknownTools?: boolean | undefined;
  /** The mode of the agent's `policy`, if it has one. */
  readonly policyMode?: string | undefined;
  /** The folder of the agent file. */
  readonly baseDir: string;
  readonly projectDir: string;
  readonly environment: HostEnvironment;
}

/** An opened block. */
export interface OpenedAgentBlock {
  /** The host's own tools that the block allows. */
  readonly builtins: readonly string[];
  /** Whether the model gets a tool of the agent. */
  offers(tool: string): boolean;
  readonly hostSettings: HostSettings;
  readonly stepBudget?: number;
  readonly maxCostUsd?: number;
  readonly mode?: "normal" | "yolo";
  /** Rules that apply after the agent's own rules. */
  readonly rules: readonly { readonly tool: string; readonly then: "allow" | "ask" | "deny" }[];
  /** Sentences about settings that do not work as the file states, or that bypass the rules. */
  readonly warnings: readonly string[];
}

/** A way to run models that `bridle init` can write into a new project. */
export interface HostProposal {
  /** The value of `--provider`. */
  readonly name: string;
  /** The display name, such as "Anthropic's API". */
  readonly label: string;
  /** The model for the new project if the user chooses none; undefined if only the server knows its models. */
  readonly model?: string;
  /** The required variables: one of each list is enough. Their values are never read. */
  readonly variables: readonly (readonly string[])[];
  /** Returns the keys below `llm.provider`. When a run starts, `${NAME}` is replaced with the variable. */
  settings(environment: HostEnvironment, address: string): Readonly<Record<string, string>>;
  /** How the user meets the requirements, as a clause. */
  readonly remedy: string;
  /** How to find out whether the proposal works, if variables cannot show it: by a login, or by a server on this machine. */
  readonly probe?: "login" | "server";
  /**
   * Whether another proposal usually uses the same variables. If so, this proposal is never found by its variables, but only chosen by
   * name.
   */
  readonly isAlternative?: boolean;
}
