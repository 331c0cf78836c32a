/** Converts an agent's `model` to the settings of `bridle.yaml`. */
import { type GivenProvider, hostOf, type SettingsOptions, shareModelNames } from "@bridle/project";
import type { HostConfig } from "@bridle/protocol";
import { findModelForm, type ModelConfig } from "../config/model.ts";
import type { AgentDefinition } from "./agent-definition.ts";

/** The names in `llm.provider` of keys of `model`, if they differ. */
const ourNames: Readonly<Record<string, string>> = {
  auth_provider: "auth",
  endpoint: "baseUrl",
  api_key: "apiKey",
  access_token: "accessToken",
  key_file: "keyFile",
  access_key_id: "accessKeyId",
  secret_access_key: "secretAccessKey",
  session_token: "sessionToken",
};

/** Keys of `model` that are not settings of its provider. */
const others: readonly string[] = ["provider", "runtime", "api_version", "name", "temperature", "top_p", "max_tokens"];

type ModelOptions = Pick<SettingsOptions, "provider" | "model">;

/**
 * Returns the agent's provider and model as options of a runtime. If the caller chose another backend, the file's settings for its own
 * backend are not used. The file's model is still used if both hosts belong to the same family, because those have the same model names.
 */
export function modelOptions(definition: AgentDefinition, { backend, model }: SettingsOptions): ModelOptions {
  const { model: given } = definition.config;
  const provider = given && modelProvider(definition, given, "model");
  const own = provider?.settings.backend;
  if (provider === undefined || own === undefined) return {};
  if (backend === undefined || backend === own) return { provider };
  return shareModelNames(backend, own) && model === undefined && provider.model !== undefined
    ? { model: provider.model }
    : {};
}

/** Converts a model in an agent file to the form of `llm.provider`. `holder` is its path, such as `evaluations.model`. */
export function modelProvider(
  { file, sources, values }: Pick<AgentDefinition, "file" | "sources" | "values">,
  model: ModelConfig,
  holder: string,
): GivenProvider {
  const keys = Object.fromEntries(Object.entries(ourNames).map(([theirs, ours]) => [ours, theirs]));
  const source = {
    file,
    holder,
    keys,
    values,
    positions: renamed(sources.positions, holder),
    written: renamed(sources.written, holder),
    absent: renamed(sources.absent, holder),
  };
  return { settings: toSettings(model), model: model.name, source, usualKey: findModelForm(model).usualKey };
}

function toSettings(model: ModelConfig): GivenProvider["settings"] {
  const backend = backendOf(model);
  const entries = Object.entries(model).filter(([key]) => !others.includes(key) && !isOfOtherRuntime(key, model));
  const settings = Object.fromEntries(entries.map(([key, value]) => [ourNames[key] ?? key, value]));
  return { ...settings, ...backend }; // the host's schema checks them
}

/**
 * Whether a key belongs to another runtime of the same provider, such as `auth_provider: api_key` to Claude Code. The schema only accepts
 * values that match the behaviour of this runtime.
 */
function isOfOtherRuntime(key: string, model: ModelConfig): boolean {
  const form = findModelForm(model);
  const { shape } = hostOf(backendOf(model).backend).settings;
  return !(key in form.shape) && !((ourNames[key] ?? key) in shape);
}

/** Returns the settings that follow from a model's provider: the backend, and an address if the provider has a usual one. */
export function backendOf(model: ModelConfig): HostConfig {
  return findModelForm(model).settings(model);
}

/** Converts paths below `holder` to paths of `bridle.yaml`. */
function renamed<T>(byPath: Readonly<Record<string, T>>, holder: string): Record<string, T> {
  const entries = Object.entries(byPath).map(([path, value]) => [pathInProject(path, holder), value] as const);
  return Object.fromEntries(entries.filter(([path]) => path !== undefined));
}

function pathInProject(path: string, holder: string): string | undefined {
  if (path === holder) return "llm.provider";
  if (!path.startsWith(`${holder}.`)) return undefined;
  const key = path.slice(holder.length + 1);
  if (key === "name") return "llm.models.default";
  return others.includes(key) || key.includes(".") ? undefined : `llm.provider.${ourNames[key] ?? key}`;
}
