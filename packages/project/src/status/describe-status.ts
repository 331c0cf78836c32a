import { installedVersions, missingVariables, pinnedSdkVersion, unusedCredentials } from "@bridle/claude-code";
import { type BackendFeatures, defaultPromptCaching, type PromptCaching } from "@bridle/core";
import { createBackend } from "../backends.ts";
import { resolveSettings, type Settings, type SettingsOptions } from "../settings.ts";
import { describeModels } from "./describe-models.ts";
import type { Status } from "./status-schema.ts";

/**
 * What is configured and what will be used. No model is called and no process is started, so that it costs nothing and
 * works offline. Throws ConfigError when the configuration is wrong.
 */
export async function describeStatus(options: SettingsOptions = {}, cwd?: string): Promise<Status> {
  const settings = await resolveSettings(options, cwd);
  const { backend, auth, environment } = settings;
  const { features } = createBackend(settings);
  const isClaudeCode = backend === "claude-code";
  return {
    projectDir: settings.projectDir,
    configFile: settings.configFile ?? null,
    backend,
    auth,
    authentication: "not checked",
    credentials: {
      missing: isClaudeCode ? missingVariables(auth, environment) : [],
      unused: isClaudeCode ? unusedCredentials(auth, environment) : [],
    },
    baseUrl: shownBaseUrl(settings),
    models: describeModels(settings),
    host: isClaudeCode ? describeHost() : null,
    node: process.versions.node,
    promptCaching: { ignored: ignoredCaching(settings.promptCaching, features) },
    degraded: [...features.degraded],
  };
}

/** Fields of `promptCaching` that differ from their default and that the backend does not honour. */
export function ignoredCaching(set: Partial<PromptCaching>, { promptCaching }: BackendFeatures): string[] {
  const wanted = { ...defaultPromptCaching, ...set };
  return objectKeys(wanted).filter((key) => wanted[key] !== defaultPromptCaching[key] && !promptCaching.includes(key));
}

function describeHost(): Status["host"] {
  try {
    return { ...installedVersions(), pinnedSdk: pinnedSdkVersion };
  } catch {
    return null; // What to do about it is for doctor to say.
  }
}

/** Without the password that an address may carry. */
function shownBaseUrl({ baseUrl, written }: Settings): string | null {
  const text = written["llm.provider.baseUrl"];
  if (text !== undefined || baseUrl === undefined) return text ?? null;
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${pathname === "/" ? "" : pathname}`;
}

function objectKeys<T extends object>(object: T): (keyof T)[] {
  return Object.keys(object) as (keyof T)[];
}
