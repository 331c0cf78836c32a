import { type AuthMode, authModes } from "@bridle/claude-code";
import { ConfigError, type PromptCaching, suggestion } from "@bridle/core";
import { loadProject } from "./config/load.ts";
import { type BackendName, backendNames } from "./config/schema.ts";
import type { Environment } from "./config/variables.ts";

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
}

/** Reads the project and lays the options over it. Throws ConfigError. */
export async function resolveSettings(options: SettingsOptions, cwd: string = process.cwd()): Promise<Settings> {
  const { environment = process.env, projectDir, backend, auth, model, models } = options;
  if (backend !== undefined) requireKnown("backend", backend, backendNames);
  if (auth !== undefined) requireKnown("auth mode", auth, authModes);
  const { config, written, ...place } = await loadProject({ cwd, projectDir, environment });
  const { provider, promptCaching } = config.llm;
  const given = { ...models, ...(model !== undefined && { default: model }) };
  return {
    ...place,
    backend: backend ?? provider.backend,
    auth: auth ?? provider.auth,
    ...(provider.baseUrl !== undefined && { baseUrl: provider.baseUrl }),
    models: { ...config.llm.models, ...given },
    promptCaching,
    environment,
    written: withoutModels(written, Object.keys(given)),
  };
}

/** Callers without types can pass any name. */
function requireKnown(what: string, name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  throw new ConfigError(`There is no ${what} "${name}". Known: ${known.join(", ")}.${suggestion(name, known)}`, {
    field: what === "backend" ? "backend" : "auth",
  });
}

function withoutModels(written: Readonly<Record<string, string>>, roles: readonly string[]): Record<string, string> {
  const replaced = new Set(roles.map((role) => `llm.models.${role}`));
  return Object.fromEntries(Object.entries(written).filter(([path]) => !replaced.has(path)));
}
