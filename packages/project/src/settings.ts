import { type AuthMode, authModes, type modelAliases } from "@bridle/claude-code";
import type { PromptCaching, SourcePosition } from "@bridle/protocol";
import { chooseProvider, requireKnown } from "./choose-provider.ts";
import type { EmbeddingsConfig } from "./config/embeddings.ts";
import { loadProject } from "./config/load.ts";
import type { PolicyConfig } from "./config/policy.ts";
import { type BackendName, backendNames, hasClaude, type Provider } from "./config/provider.ts";
import type { Config } from "./config/schema.ts";
import type { Environment, EnvironmentValue } from "./config/variables.ts";
import { type GivenProvider, type ProviderSource, withProvider } from "./given-provider.ts";
import { refuseMachineLogin, refuseRedirectedLogin } from "./login-rules.ts";
import { surroundingsOf } from "./namespace/surroundings.ts";
import { without } from "./without-paths.ts";

/** What a caller may set instead of the project's `bridle.yaml`. */
export interface SettingsOptions {
  /** The folder that holds `bridle.yaml`. Default: BRIDLE_PROJECT_DIR, else the nearest upward from the working directory. */
  projectDir?: string;
  /** Another backend than the file's; what the file says of its own is then not used. */
  backend?: BackendName;
  /**
   * The provider as another file has it, such as an agent's, with its model: over the project's, whose keys and models
   * hold beside it where it is the same backend.
   */
  provider?: GivenProvider;
  /** Texts of another file that are never shown, beside those of the project's. */
  values?: readonly EnvironmentValue[];
  /** Who pays on claude-code. */
  auth?: AuthMode;
  /** The model of every role that is not bound to another. */
  model?: string;
  /** Roles and their models, over those of the file. */
  models?: Readonly<Record<string, string>>;
  /** How the account is used, over what the file says. */
  limits?: Settings["limits"];
  /** Nobody sits before it: a used-up window is waited for, where neither `limits` nor the file says otherwise. */
  unattended?: boolean;
  /**
   * Whose runs these are, where one process serves several users: any text, such as a user's id. State, Claude Code's
   * own folder and credentials are then that user's alone. See docs/namespaces.md.
   *
   * @example
   * await createRuntime({ namespace: user.id, environment: { ANTHROPIC_API_KEY: user.key } });
   */
  namespace?: string;
  /**
   * Default: this process's. In a namespace that user's variables: of this process's it then has only what says how the
   * machine is set up, and no credential.
   */
  environment?: Environment;
  /** What counts as this process's environment, for a program that was handed one. Default: `process.env`. */
  processEnvironment?: Environment;
}

/** Everything that a runtime is made from: the file, with the caller's options over it. */
export interface Settings {
  readonly projectDir: string;
  readonly configFile?: string;
  readonly namespace?: string;
  readonly provider: Provider;
  /** The backend of the file, where an option chose another. */
  readonly otherBackend?: BackendName;
  /** Where the provider was set, if not in `bridle.yaml`. */
  readonly providerSource?: ProviderSource;
  readonly models: Readonly<Record<string, string>>;
  readonly promptCaching: Partial<PromptCaching>;
  readonly limits: Config["llm"]["limits"];
  readonly prices: NonNullable<Config["llm"]["prices"]>;
  readonly embeddings: EmbeddingsConfig;
  /** Where the embeddings were set, if not in `bridle.yaml`. */
  readonly embeddingsSource?: ProviderSource;
  /** The rules over the calls of tools, where the file has any. */
  readonly policy?: PolicyConfig;
  readonly environment: Environment;
  /** This process's environment, where another is used: its credentials get onto no record either. */
  readonly processEnvironment?: Environment;
  /** Values that came from the environment, as the file has them: for everything that is shown. */
  readonly written: Readonly<Record<string, string>>;
  /** The texts that are never shown, and what is shown in their place. */
  readonly values: readonly EnvironmentValue[];
  /** Paths of credentials that stand in the file itself. */
  readonly typed: readonly string[];
  /** Variables that are not set and that say how a host is reached, by path. */
  readonly absent: Readonly<Record<string, readonly string[]>>;
  /** Where in the file each setting stands that no option replaced, by path. */
  readonly positions: Readonly<Record<string, SourcePosition>>;
}

/** Words of the file's own language, which errors may use whoever set them. */
const publicNames: readonly string[] = [...backendNames, ...authModes];

/** Reads the project and lays the options over it. Throws ConfigError. */
export async function resolveSettings(options: SettingsOptions, cwd: string = process.cwd()): Promise<Settings> {
  const { backend, auth, model, models, limits, unattended } = options;
  if (backend !== undefined) requireKnown("backend", backend, backendNames);
  if (auth !== undefined) requireKnown("auth mode", auth, authModes);
  const surroundings = surroundingsOf(options, cwd);
  const { environment } = surroundings;
  const project = withProvider(await loadProject(surroundings.place, { cwd, environment }), options.provider);
  const { config, written, values, typed, absent, positions, providerSource, ...place } = project;
  const { provider, otherBackend } = chooseProvider(project, backend, auth);
  const given = { ...models, ...(model !== undefined && { default: model }) };
  const isReplaced = (path: string) =>
    (otherBackend !== undefined && path.startsWith("llm.provider.")) ||
    (auth !== undefined && path === "llm.provider.auth") ||
    Object.keys(given).some((role) => path === `llm.models.${role}`);
  const settings: Settings = {
    ...place,
    ...surroundings.namespaced,
    provider,
    ...(otherBackend !== undefined && { otherBackend }),
    ...(providerSource && otherBackend === undefined && { providerSource }),
    models: { ...(config.llm.models ?? defaultModels(provider)), ...given },
    promptCaching: config.llm.promptCaching,
    limits: { ...(unattended && { onUsageLimit: "wait" }), ...config.llm.limits, ...limits },
    prices: config.llm.prices ?? {},
    embeddings: config.embeddings ?? { backend: "none" },
    ...(config.policy && { policy: config.policy }),
    environment,
    written: without(written, isReplaced),
    values: [...values, ...(options.values ?? [])].filter(({ value }) => !publicNames.includes(value)),
    typed,
    absent: without(absent, isReplaced),
    positions: without(positions, isReplaced),
  };
  refuseRedirectedLogin(settings);
  refuseMachineLogin(settings);
  return settings;
}

function defaultModels(provider: Provider): Readonly<Record<string, string>> {
  const alias: (typeof modelAliases)[number] = "sonnet";
  return hasClaude(provider) ? { default: alias } : {};
}

/** Where the file sets the models, or where it could. */
export function positionOfModels({ positions }: Pick<Settings, "positions">): SourcePosition | undefined {
  return positions["llm.models"] ?? positions.llm;
}
