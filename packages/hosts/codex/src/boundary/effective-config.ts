/**
 * Compares the configuration in effect with the requested one. The machine's administrator can add settings, for example with `config.toml`
 * and `requirements.toml` in `/etc/codex`, and requirements override every setting.
 */
import { isDeepStrictEqual } from "node:util";
import { isPlainObject } from "@bridle/protocol";
import type { ConfigAnswer, FeaturesAnswer } from "../messages/messages.ts";
import type { Setting } from "./closed-set.ts";

/** Configuration layers that an administrator or Bridle sets. The event log lists the administrator's files. */
export const expectedLayers: readonly string[] = [
  "sessionFlags",
  "packagedDefaults",
  "mdm",
  "system",
  "enterpriseManaged",
  "legacyManagedConfigTomlFromFile",
  "legacyManagedConfigTomlFromMdm",
];

/** Keys that add text, tools or processes, regardless of who sets them. */
const addingKeys: readonly string[] = [
  "instructions",
  "developer_instructions",
  "model_instructions_file",
  "compact_prompt",
  "experimental_compact_prompt_file",
  "mcp_servers",
  "hooks",
  "plugins",
  "marketplaces",
  "agents",
  "profile",
  "profiles",
  "personality",
  "otel",
];

/** Lists every setting that was added or changed. Empty if exactly the requested settings are in effect. */
export function configDifferences({ config, layers }: ConfigAnswer, settings: readonly Setting[]): string[] {
  return [
    ...(layers ?? [])
      .filter(({ name, config: own }) => !expectedLayers.includes(name.type) && !isEmpty(own))
      .map(({ name }) => `settings of the layer ${name.type} are in effect`),
    ...addingKeys.flatMap((key) => describeAddition(key, config[key])),
    ...settings.filter(([key]) => !key.startsWith("features.")).flatMap((setting) => describeChange(config, setting)),
  ];
}

/** Lists the features that are on although the settings turn them off. This happens if an administrator requires a feature. */
export function featureDifferences(features: FeaturesAnswer["data"], settings: readonly Setting[]): string[] {
  const off = new Set(settings.filter(([, value]) => value === false).map(([key]) => key));
  return features
    .filter(({ name, enabled }) => enabled && off.has(`features.${name}`))
    .map(({ name }) => `the feature ${name} is on`);
}

function describeAddition(key: string, value: unknown): string[] {
  if (isEmpty(value)) return [];
  if (key === "mcp_servers" && isPlainObject(value)) {
    return Object.keys(value).map((name) => `MCP server ${name} is configured`);
  }
  return [`${key} is configured`];
}

/** Describes how a setting differs. A setting that Codex does not report counts as in effect, because its effect is checked elsewhere. */
function describeChange(config: Readonly<Record<string, unknown>>, [key, value]: Setting): string[] {
  const found = key.split(".").reduce<unknown>((at, name) => (isPlainObject(at) ? at[name] : undefined), config);
  if (found === undefined || found === null || includes(found, value)) return [];
  return [`${key} is ${JSON.stringify(found)}`];
}

function includes(found: unknown, value: unknown): boolean {
  if (!isPlainObject(value)) return isDeepStrictEqual(found, value);
  return isPlainObject(found) && Object.entries(value).every(([key, each]) => includes(found[key], each));
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
