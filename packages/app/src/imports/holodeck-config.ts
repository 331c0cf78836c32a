/** Reads HoloDeck's `config.yaml`, which contains defaults for agent files. */
import { isPlainObject } from "@bridle/protocol";
import { parse } from "yaml";
import type { YamlEdits } from "./yaml-edits.ts";

type Mapping = Readonly<Record<string, unknown>>;

/** The parts of `config.yaml` that affect an agent. */
export interface HolodeckConfig {
  /** Document stores, by name. */
  readonly vectorstores: Mapping;
  /** Model settings, by a name that is often the provider's. */
  readonly providers: Mapping;
  readonly servers: readonly Mapping[];
  readonly execution: Mapping;
}

/** Parses the text of `config.yaml`. Returns an empty config if the text is not a YAML mapping. */
export function readHolodeckConfig(text: string): HolodeckConfig {
  const value = parseMapping(text);
  const servers = Array.isArray(value.mcp_servers) ? value.mcp_servers.filter(isPlainObject) : [];
  return {
    vectorstores: mappingOf(value.vectorstores),
    providers: mappingOf(value.providers),
    servers,
    execution: mappingOf(value.execution),
  };
}

function parseMapping(text: string): Mapping {
  try {
    return mappingOf(parse(text, { logLevel: "silent" }));
  } catch {
    return {};
  }
}

function mappingOf(value: unknown): Mapping {
  return isPlainObject(value) ? value : {};
}

const reason = "HoloDeck takes it from config.yaml.";
const modelKeys = ["name", "temperature", "max_tokens", "top_p", "endpoint", "api_key"];
const limits = ["llm_timeout", "parallel_test_cases"];

/** Adds the settings that HoloDeck inherits from `config.yaml`. */
export function importConfig(file: YamlEdits, { providers, servers, execution }: HolodeckConfig): void {
  for (const path of [["model"], ["evaluations", "model"]]) {
    const model = file.get(path);
    if (isPlainObject(model)) addMissing(file, path, modelKeys, settingsOf(String(model.provider), providers));
  }
  addMissing(file, ["execution"], limits, execution);
  const named = new Set(file.find(["tools", "*", "name"]).map((path) => file.get(path)));
  for (const server of servers.filter(({ name }) => !named.has(name))) {
    const tools = file.get(["tools"]);
    if (Array.isArray(tools)) file.set(["tools", tools.length], server, reason);
    else file.set(["tools"], [server], reason);
  }
}

/** Returns the settings with the provider's name, or else the first settings for this provider. */
function settingsOf(provider: string, providers: Mapping): Mapping {
  const named = providers[provider];
  if (isPlainObject(named)) return named;
  return mappingOf(Object.values(providers).find((each) => isPlainObject(each) && each.provider === provider));
}

function addMissing(file: YamlEdits, path: readonly string[], keys: readonly string[], given: Mapping): void {
  for (const key of keys) {
    const value = given[key];
    if (value !== undefined && value !== null && !file.has([...path, key])) file.set([...path, key], value, reason);
  }
}
