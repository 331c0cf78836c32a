import { type AuthMode, authModes } from "@bridle/claude-code";
import { ConfigError, type PromptCaching, type SourcePosition, suggestion } from "@bridle/core";
import { loadProject } from "./config/load.ts";
import { type BackendName, backendNames } from "./config/schema.ts";
import type { Environment, EnvironmentValue } from "./config/variables.ts";

/** What a caller may set instead of the project's `bridle.yaml`. */
export interface SettingsOptions {
  /** The folder that holds `bridle.yaml`. Default: BRIDLE_PROJECT_DIR, else the nearest upward from the working directory. */
  projectDir?: string;
  backend?: BackendName;
  auth?: AuthMode;
  /** The model of every role that is not bound to another. */
  model?: string;
  /** Roles and their models, over those of the file. */
  models?: Readonly<Record<string, string>>;
  /** Default: this process's. */
  environment?: Environment;
}

/** Everything that a runtime is made from: the file, with the caller's options over it. */
export interface Settings {
  readonly projectDir: string;
  readonly configFile?: string;
  readonly backend: BackendName;
  readonly auth: AuthMode;
  readonly baseUrl?: string;
  readonly models: Readonly<Record<string, string>>;
  readonly promptCaching: Partial<PromptCaching>;
  readonly environment: Environment;
  /** Values that came from the environment, as the file has them: for everything that is shown. */
  readonly written: Readonly<Record<string, string>>;
  /** The texts that came from the environment, and what is shown in their place. */
  readonly values: readonly EnvironmentValue[];
  /** Where in the file each setting stands that no option replaced, by path. */
  readonly positions: Readonly<Record<string, SourcePosition>>;
}

/** Words of the file's own language, which errors may use whoever set them. */
const publicNames: readonly string[] = [...backendNames, ...authModes];

/** Reads the project and lays the options over it. Throws ConfigError. */
export async function resolveSettings(options: SettingsOptions, cwd: string = process.cwd()): Promise<Settings> {
  const { environment = process.env, projectDir, backend, auth, model, models } = options;
  if (backend !== undefined) requireKnown("backend", backend, backendNames);
  if (auth !== undefined) requireKnown("auth mode", auth, authModes);
  const { config, written, values, positions, ...place } = await loadProject({ cwd, projectDir, environment });
  const { provider, promptCaching } = config.llm;
  const given = { ...models, ...(model !== undefined && { default: model }) };
  const replaced = new Set([
    ...Object.keys(given).map((role) => `llm.models.${role}`),
    ...(backend === undefined ? [] : ["llm.provider.backend"]),
    ...(auth === undefined ? [] : ["llm.provider.auth"]),
  ]);
  const settings: Settings = {
    ...place,
    backend: backend ?? provider.backend,
    auth: auth ?? provider.auth,
    ...(provider.baseUrl !== undefined && { baseUrl: provider.baseUrl }),
    models: { ...config.llm.models, ...given },
    promptCaching,
    environment,
    written: without(written, replaced),
    values: values.filter(({ value }) => !publicNames.includes(value)),
    positions: without(positions, replaced),
  };
  refuseRedirectedLogin(settings);
  return settings;
}

/** A login is only sent to its own provider. An address may hold a password, and is not quoted. */
function refuseRedirectedLogin({ backend, auth, baseUrl, positions }: Settings): void {
  if (backend !== "claude-code" || auth !== "session" || baseUrl === undefined) return;
  const [field, position] = ["llm.provider.baseUrl", positions["llm.provider.baseUrl"]];
  throw new ConfigError(
    `${field} cannot stand with auth: session, because a login is only sent to its own provider. Remove it, or set auth: api_key.`,
    { field, ...(position && { position }) },
  );
}

/** Callers without types can pass any name. */
function requireKnown(what: string, name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  throw new ConfigError(`There is no ${what} "${name}". Known: ${known.join(", ")}.${suggestion(name, known)}`, {
    field: what === "backend" ? "backend" : "auth",
  });
}

function without<T>(byPath: Readonly<Record<string, T>>, paths: ReadonlySet<string>): Record<string, T> {
  return Object.fromEntries(Object.entries(byPath).filter(([path]) => !paths.has(path)));
}
