import type { PolicyConfig } from "@bridle/core";
import { type FolderTrust, omitUndefined, type PromptCaching, type SourcePosition } from "@bridle/protocol";
import { type ContextConfig, noContext } from "../config/context.ts";
import type { PostgresConfig } from "../config/event-log.ts";
import type { Config } from "../config/schema.ts";
import { noServe, type ServeConfig } from "../config/serve.ts";
import type { Environment, EnvironmentValue } from "../config/variables.ts";
import { resolveEnvironment, type TenantEnvironment, type TenantOptions } from "../namespace/resolve-environment.ts";
import { type EmbeddingsConfig, noEmbeddings } from "../registries/embedder-registry.ts";
import {
  type AuthMode,
  authModes,
  type BackendName,
  backendNames,
  hostOf,
  type Provider,
} from "../registries/host-registry.ts";
import { chooseProvider, requireKnown } from "./choose-provider.ts";
import { refuseConflict } from "./find-conflict.ts";
import { type AssumedKey, type GivenProvider, type ProviderSource, withProvider } from "./given-provider.ts";
import type { ProjectFile } from "./project-file.ts";
import { without } from "./without-paths.ts";

/** Options that take precedence over the project's `bridle.yaml`. */
export interface SettingsOptions extends TenantOptions {
  /** The folder that contains `bridle.yaml`. Default: BRIDLE_PROJECT_DIR, else the nearest folder upward from the working directory. */
  projectDir?: string | undefined;
  /** A backend other than the file's. The file's settings for its own backend are then ignored. */
  backend?: BackendName | undefined;
  /**
   * The provider and model that another file sets, such as an agent file. They take precedence over the project's provider; if both
   * name the same backend, the project's other keys and models still apply.
   */
  provider?: GivenProvider | undefined;
  /** Strings from another file that are never shown, in addition to those from `bridle.yaml`. */
  values?: readonly EnvironmentValue[] | undefined;
  /** The account that pays, for the backend `claude-code`. */
  auth?: AuthMode | undefined;
  /** The model of every role without its own model. */
  model?: string | undefined;
  /** Roles and their models. They take precedence over the file's. */
  models?: Readonly<Record<string, string | undefined>> | undefined;
  /** Limits on the use of the account. They take precedence over the file's. */
  limits?: { readonly [K in keyof Settings["limits"]]?: Settings["limits"][K] | undefined } | undefined;
  /** Whether no user is present: runs then wait for a used-up window to reopen, unless `limits` or the file sets something else. */
  unattended?: boolean | undefined;
  /**
   * The user of these runs, if one process serves several users: any text, such as a user's id. The state, Claude Code's own folder and the
   * credentials then belong to this user only. See docs/guides/apps/namespaces.md.
   *
   * @example
   * await createRuntime({ namespace: user.id, environment: { ANTHROPIC_API_KEY: user.key } });
   */
  namespace?: string;
  /**
   * The environment variables. Default: this process's. In a namespace, the user's variables; this process's variables are then used only
   * if they describe the machine, and never if they contain a credential.
   */
  environment?: Environment | undefined;
  /**
   * Decides whether the project's files may take effect: for example, whether their settings may send variables to an address, skip
   * questions, or load packages of the folder. Default: they may, because the program's author chose the folder.
   *
   * @example
   * const runtime = await createRuntime({ projectDir: upload, trust: createFolderTrust({ environment: process.env }) });
   */
  trust?: FolderTrust | undefined;
  /** The environment that counts as this process's, for a program that received one. Default: `process.env`. */
  processEnvironment?: Environment | undefined;
}

const settingKeys = [
  "projectDir",
  "backend",
  "provider",
  "values",
  "auth",
  "model",
  "models",
  "limits",
  "unattended",
  "namespace",
  "environment",
  "processEnvironment",
  "trust",
] as readonly (keyof SettingsOptions)[];

/** Picks the settings among a caller's options, without undefined ones. An undefined namespace is kept, so that it is refused later. */
export function pickSettings(options: SettingsOptions): SettingsOptions {
  const given = settingKeys.filter((key) =>
    key === "namespace" ? Object.hasOwn(options, key) : options[key] !== undefined,
  );
  return Object.fromEntries(given.map((key) => [key, options[key]]));
}

/** Returns the options without those that choose a host or a model. */
export function withoutHostChoice(options: SettingsOptions): SettingsOptions {
  const { backend: _backend, auth: _auth, provider: _provider, model: _model, models: _models, ...kept } = options;
  return kept;
}

/** The settings of a runtime: those of the file, overridden by the caller's options. */
export interface Settings {
  readonly projectDir: string;
  readonly configFile?: string;
  readonly namespace?: string;
  readonly provider: Provider;
  /** The backend of the file, if an option chose another. */
  readonly otherBackend?: string;
  /** The file that sets the provider, if it is not `bridle.yaml`. */
  readonly providerSource?: ProviderSource;
  /** The key of the provider, if no file sets it. */
  readonly assumedKey?: AssumedKey;
  readonly models: Readonly<Record<string, string>>;
  readonly promptCaching: Partial<PromptCaching>;
  readonly limits: Config["llm"]["limits"];
  readonly prices: NonNullable<Config["llm"]["prices"]>;
  readonly embeddings: EmbeddingsConfig;
  /** The file that sets the embeddings, if it is not `bridle.yaml`. */
  readonly embeddingsSource?: ProviderSource;
  /** The key of the embeddings, if no file sets it. */
  readonly assumedEmbeddingsKey?: AssumedKey;
  /** The database of the event log. Missing if the event log is a file in the project's folder. */
  readonly eventLog?: PostgresConfig;
  /** The warehouses, and the limits of a scan. */
  readonly context: ContextConfig;
  /** The agents and protocols that a server of the project offers, and its clients. */
  readonly serve: ServeConfig;
  /** The rules for tool calls, if the file contains any. */
  readonly policy?: PolicyConfig;
  readonly environment: Environment;
  /** This process's environment, if another one is used. Its credentials are redacted too. */
  readonly processEnvironment?: Environment;
  /** The references that the file contains instead of values from the environment, by path. Output shows these references. */
  readonly written: Readonly<Record<string, string>>;
  /** The strings that are never shown, with their replacements. */
  readonly values: readonly EnvironmentValue[];
  /** The paths of credentials that the file itself contains. */
  readonly typed: readonly string[];
  /** Unset variables of settings that determine how a host is reached, by path. */
  readonly absent: Readonly<Record<string, readonly string[]>>;
  /** The position in the file of each setting that no option replaced, by path. */
  readonly positions: Readonly<Record<string, SourcePosition>>;
}

/** Names that are never redacted, although a variable may have the same value. */
const publicNames: readonly string[] = [...backendNames, ...authModes];

/** Builds the settings of a project from its file and the caller's options, which override it. Throws ConfigError. */
export function buildSettings(
  file: ProjectFile,
  options: SettingsOptions,
  { environment, ...tenant }: TenantEnvironment = resolveEnvironment(options, file.location),
): Settings {
  const { backend, auth, model, models, limits, unattended } = options;
  if (backend !== undefined) requireKnown("backend", backend, backendNames);
  if (auth !== undefined) requireKnown("auth mode", auth, authModes);
  const project = withProvider(file.parse(environment), options.provider, environment);
  const { config, written, values, typed, absent, positions, providerSource, assumedKey } = project;
  const { provider, otherBackend } = chooseProvider(project, backend, auth);
  const given = omitUndefined({ ...models, ...(model !== undefined && { default: model }) });
  const isReplaced = (path: string) =>
    (otherBackend !== undefined && path.startsWith("llm.provider.")) ||
    (auth !== undefined && path === "llm.provider.auth") ||
    Object.keys(given).some((role) => path === `llm.models.${role}`);
  const settings: Settings = omitUndefined({
    ...file.location,
    ...tenant,
    environment,
    provider,
    otherBackend,
    typed,
    providerSource: otherBackend === undefined ? providerSource : undefined,
    assumedKey: otherBackend === undefined ? assumedKey : undefined,
    models: { ...(config.llm.models ?? defaultModels(provider)), ...given },
    promptCaching: config.llm.promptCaching,
    limits: {
      ...(unattended && { onUsageLimit: "wait" as const }),
      ...config.llm.limits,
      ...omitUndefined(limits ?? {}),
    },
    prices: config.llm.prices ?? {},
    embeddings: config.embeddings ?? noEmbeddings(),
    eventLog: config.eventLog?.type === "postgres" ? config.eventLog : undefined,
    context: config.context ?? noContext,
    serve: config.serve ?? noServe,
    policy: config.policy,
    written: without(written, isReplaced),
    values: [...values, ...(options.values ?? [])].filter(({ value }) => !publicNames.includes(value)),
    absent: without(absent, isReplaced),
    positions: without(positions, isReplaced),
  });
  refuseConflict(settings);
  return settings;
}

function defaultModels(provider: Provider): Readonly<Record<string, string>> {
  const { default: model } = hostOf(provider.backend).models;
  return model === undefined ? {} : { default: model };
}

/** Returns the position of `llm.models` in the file, or of its parent. */
export function positionOfModels({ positions }: Pick<Settings, "positions">): SourcePosition | undefined {
  return positions["llm.models"] ?? positions.llm;
}
