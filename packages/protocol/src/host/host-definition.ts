/**
 * A model host as a value: everything that Bridle knows about one host. The configuration schema, requirements, status,
 * doctor, models, rehearsals and the proposals of `bridle init` follow from it, so that a new host is one folder with a
 * definition and one line in the registry of hosts.
 *
 * The definition itself is light: it is imported by every program, also by those that use another host. Everything that
 * needs the host's packages is in `Host`, which `load()` imports.
 */
import type { z } from "zod";
import type { FileKey } from "../tools/tool-kind.ts";
import type { Backend, BackendFeatures, HostSettings } from "./backend.ts";
import type { ModelListing, ModelPrices, ModelTable } from "./host-models.ts";

export type HostEnvironment = Readonly<Record<string, string | undefined>>;

/** The settings of a host, checked by its schema: its keys of `llm.provider`, with `backend`, the host's id. */
export interface HostConfig {
  readonly backend: string;
  readonly [key: string]: unknown;
}

/** A definition with the settings that its own functions receive. The registry holds it as `HostDefinition`. */
export interface HostDefinition<Config extends HostConfig = HostConfig, Id extends string = string> {
  /** The value of `llm.provider.backend`. */
  readonly id: Id;
  /** The host's name in messages, such as "Claude Code". */
  readonly title: string;
  readonly settings: HostSettingsForm;
  /** Settings that the host cannot be reached without, beside those of `auth`. */
  readonly needs: readonly SettingNeed[];
  /** The modes of the key `auth`, for a host that takes its credentials from the environment itself. */
  readonly auth?: HostAuth<Config>;
  /** The rule against settings that contradict each other or the place where they are used; undefined if all is well. */
  findConflict?(config: Config, use: HostUse): SettingConflict | undefined;
  /** Words for credentials if none is configured, such as "the login of Claude Code". */
  readonly withoutCredentials?: string;
  /** How a person logs in, as a clause such as `run "claude" once and log in`; undefined if the settings use no login. */
  loginAdvice?(config: Config, tenantFolder?: string): string | undefined;
  /** The variables and folders that make the host's own state one namespace's alone. */
  readonly tenant?: HostTenant;
  readonly models: HostModelNames<Config>;
  /** Takes `temperature` and `topP`. */
  readonly hasSampling: boolean;
  /** Has models. Only `none` has not. */
  readonly hasModels?: false;
  /** The forms of `model` in an agent's file that lead to this host. */
  readonly agentModels?: readonly AgentModelForm[];
  /** A block of an agent's file that only this host understands. */
  readonly agentBlock?: AgentBlock;
  /** What `bridle init` can propose, the best first. */
  readonly init?: readonly HostProposal[];
  /** Imports the part that needs the host's packages. */
  load(): Promise<Host<Config>>;
}

/** The keys of `llm.provider`, beside `backend`. */
export interface HostSettingsForm {
  readonly shape: Readonly<Record<string, z.ZodType>>;
  /** A check of all keys together. */
  readonly check?: z.core.CheckFn<object>;
  /** Keys whose values are credentials, which are never shown. */
  readonly secretKeys?: readonly string[];
  /** Keys that point to a credential, such as the path of a key file. They are named among the credentials. */
  readonly credentialKeys?: readonly string[];
  /** Keys that do not say how the host is reached. Without their variable, every command fails. */
  readonly plainKeys?: readonly string[];
}

/** Settings of which one way is enough, each with the lines as a person writes them. The first way is the usual one. */
export interface SettingNeed {
  readonly ways: readonly Readonly<Record<string, string>>[];
}

export interface HostAuth<Config extends HostConfig = HostConfig> {
  readonly modes: readonly string[];
  modeOf(config: Config): string;
  /** The variables that the mode needs and the environment lacks; alternatives are joined by "or". */
  missing(config: Config, environment: HostEnvironment): readonly string[];
  /** Credentials that are set in the environment but that the mode does not use. */
  unused(config: Config, environment: HostEnvironment): readonly string[];
}

/** Where a host's settings are used. */
export interface HostUse {
  /** In a namespace, which uses no login of the machine. */
  readonly isNamespaced: boolean;
  /** Whether the setting is written in the file, also if its variable is not set. */
  has(key: string): boolean;
}

export interface SettingConflict {
  readonly key: string;
  /** What is wrong and what to do. The path of the key comes before it. */
  readonly message: string;
}

export interface HostTenant {
  /** Variables that lead the host to the namespace's own folder. They take precedence over any that were given. */
  variables(folder: string): Readonly<Record<string, string>>;
  /** Folders of the host in the namespace's folder, which only this user may read. */
  folders(folder: string): readonly string[];
}

export interface HostModelNames<Config extends HostConfig = HostConfig> {
  /** Hosts with the same family take the same model names. */
  readonly family?: string;
  /** The model if none is configured. */
  readonly default?: string;
  /** The ids of models are looked up in the table of another host, which has their prices. */
  readonly tableOf?: string;
  /** Prices of `llm.prices` apply. Otherwise the host itself reports the cost of a run. */
  readonly takesPrices: boolean;
  /** The prices of the table are the ones that are paid. Default: true. */
  pricesApply?(config: Config): boolean;
  /** Whether the host accepts names like this one, as far as that is known without asking it. Default: true. */
  isKnown?(model: string, config: Config): boolean;
  /** Short names, for suggestions. */
  readonly aliases?: readonly string[];
}

/** The part of a host that needs its packages. */
export interface Host<Config extends HostConfig = HostConfig> {
  /** Throws ConfigError for settings that make no sense. */
  create(config: Config, context: HostContext): HostBackend;
  /** What the host can do; known without its credentials. */
  features(config: Config, context: HostContext): BackendFeatures;
  /** Leave it out if the host speaks no protocol of the scripted model server. Rehearsals on it are refused then. */
  readonly rehearsal?: HostRehearsal;
  /** The models that the host offers. Calls no model. Throws a BridleError if the host cannot be asked. */
  listModels(config: Config, context: HostContext & { readonly signal: AbortSignal }): Promise<ModelListing>;
  /** The models that are known without asking anyone. */
  modelTable?(): ModelTable;
  /** The versions of what is installed, by name. Throws ConfigError if it is not installed. */
  versions?(): Readonly<Record<string, string>>;
  /** The programs and packages that a result depends on, with their versions. Throws ConfigError if they are missing. */
  packages?(): Readonly<Record<string, string>>;
  /** The settings that `bridle status` shows beside those of every host. */
  describe?(config: Config): HostDescription;
  readonly checks?: HostChecks<Config>;
}

export interface HostContext {
  readonly environment: HostEnvironment;
  readonly prices: ModelPrices;
  /** The file with the settings, for messages. */
  readonly configFile?: string;
}

/** A backend that may keep processes for conversations to come. */
export interface HostBackend extends Backend {
  /** Undefined if it keeps none. */
  pool?(): HostPoolState | undefined;
}

export interface HostPoolState {
  /** Processes that wait for a conversation. */
  readonly idle: number;
  /** Processes that serve a conversation, or are being made ready for the next. */
  readonly busy: number;
  /** Conversations that found a process waiting. */
  readonly reused: number;
}

/** How the host plays a rehearsal: the real host, on a scripted model server. */
export interface HostRehearsal {
  /** The host keeps state on disk, and gets a folder that is removed afterwards. */
  readonly needsFolder: boolean;
  /** Normally the host keeps a session's conversation for the next run. In a rehearsal it never does. */
  readonly keepsSessions: boolean;
  /** `url` is the address of the model server; no login and no key of the user is used. */
  create(scene: { readonly url: string; readonly folder: string; readonly environment: HostEnvironment }): HostBackend;
}

export interface HostDescription {
  /** Processes that are kept: the limits that are configured, or false for none. */
  readonly pool?: false | Readonly<Record<string, number | undefined>>;
}

/** The checks of `bridle doctor` that only some hosts have. Each says what was found. */
export interface HostChecks<Config extends HostConfig = HostConfig> {
  /** The host's packages and programs on this machine. */
  installation?(): CheckFinding;
  /** Settings of the machine and the project that the host would read, and whether they are in force. */
  implicitSources?(config: Config, context: HostCheckContext): Promise<CheckFinding>;
  /** Proves that nothing reaches the model but what a caller passes. Runs the host on a rehearsed model. */
  boundary?(config: Config, context: HostCheckContext): Promise<CheckFinding>;
}

export interface HostCheckContext {
  readonly projectDir: string;
  readonly environment: HostEnvironment;
  readonly signal?: AbortSignal | undefined;
}

/** What a check found: it is fine, it is fine with a warning (a remedy), or it failed. */
export interface CheckFinding {
  readonly ok: boolean;
  readonly detail: string;
  /** What to do about it; required if the check failed. */
  readonly remedy?: string;
}

/** A form of `model` in an agent's file. */
export interface AgentModelForm {
  /** The value of `model.provider`. */
  readonly provider: string;
  /** The value of `model.runtime`, if several hosts run the models of this provider. */
  readonly runtime?: string;
  /** Its keys, beside those of every model. */
  readonly shape: Readonly<Record<string, z.ZodType>>;
  /** A check of all keys together. */
  readonly check?: z.core.CheckFn<Readonly<Record<string, unknown>>>;
  /** The settings of the host that follow from the provider's name and address; other keys are taken over as they are. */
  settings(model: Readonly<Record<string, unknown>>): HostConfig;
}

/** A block of an agent's file, such as `claude`. */
export interface AgentBlock<Config = unknown> {
  readonly key: string;
  readonly schema: z.ZodType<Config>;
  /** The keys of the block that name a file or a folder. */
  readonly files: readonly FileKey[];
  /** A key that limits the same thing as a field of the agent's file. Only one of the two may be set. */
  readonly sameLimit?: { readonly key: string; readonly field: readonly [string, string] };
  /** Whether it decides which tool calls may run. */
  decidesCalls(config: Config): boolean;
  /** Imports what opens the block. */
  load(): Promise<{ open(config: Config, agent: AgentBlockContext): Promise<OpenedAgentBlock> }>;
}

export interface AgentBlockContext {
  readonly model: string;
  /** The names of the agent's own tools. */
  readonly tools: readonly string[];
  /** The mode of the agent's `policy`, if it has one. */
  readonly policyMode?: string | undefined;
  /** The folder of the agent's file. */
  readonly baseDir: string;
  readonly projectDir: string;
  readonly environment: HostEnvironment;
}

/** What a block opens and sets. */
export interface OpenedAgentBlock {
  /** Tools of the host that are opened. */
  readonly builtins: readonly string[];
  /** Whether a tool of the agent's is offered. */
  offers(tool: string): boolean;
  readonly hostSettings: HostSettings;
  readonly stepBudget?: number;
  readonly maxCostUsd?: number;
  readonly mode?: "normal" | "yolo";
  /** They follow the agent's own rules, which take precedence. */
  readonly rules: readonly { readonly tool: string; readonly then: "allow" | "ask" | "deny" }[];
  /** What differs from the file, and what goes beyond the rules, in sentences. */
  readonly warnings: readonly string[];
}

/** A way to run models that `bridle init` can write into a new project. */
export interface HostProposal {
  /** The value of `--provider`. */
  readonly name: string;
  /** What a person reads, such as "Anthropic's API". */
  readonly label: string;
  /** The model that is written if none was chosen; undefined if only the server knows. */
  readonly model?: string;
  /** Variables that it needs: of each list, one is enough. Their values are never looked at. */
  readonly variables: readonly (readonly string[])[];
  /** The keys of `llm.provider`; `${NAME}` is read from the environment when a run begins. */
  settings(environment: HostEnvironment, address: string): Readonly<Record<string, string>>;
  /** How to get what it needs, as a clause. */
  readonly remedy: string;
  /** How to find out whether it works, if set variables do not say it: by a login, or a server on this machine. */
  readonly probe?: "login" | "server";
}
