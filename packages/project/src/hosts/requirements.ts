/** Finds missing settings that a backend needs. */
import { ConfigError, type SettingNeed } from "@bridle/protocol";
import { embedderDefinition } from "../registries/embedder-registry.ts";
import { hostOf } from "../registries/host-registry.ts";
import type { ProviderSource } from "../settings/given-provider.ts";
import type { Settings } from "../settings/settings.ts";
import { shownField } from "../settings/shown-field.ts";

/** A missing setting, which is needed to reach a host. */
export interface MissingSetting {
  /** The path of the setting, such as `llm.provider.apiKey`. */
  readonly field: string;
  /** The unset variables of its value; empty if the file does not contain the setting at all. */
  readonly variables: readonly string[];
  readonly remedy: string;
}

type Holder = "llm.provider" | "embeddings";

/** The path of the setting that decides which account pays. */
export const authField = "llm.provider.auth";

/** Lists everything that the chosen backend needs and that is missing: settings, and variables of its auth mode. */
export function findMissingHostSettings(settings: Settings): MissingSetting[] {
  return [...findMissingProviderSettings(settings), ...findMissingAuth(settings)];
}

/** Lists the variables that the auth mode needs and that are not set. */
export function findMissingAuth(settings: Settings): MissingSetting[] {
  const { provider, environment, namespace } = settings;
  const variables = hostOf(provider.backend).auth?.missing(provider, environment) ?? [];
  if (variables.length === 0) return [];
  const set = namespace === undefined ? "Set it" : "Pass it in the option environment";
  const file = settings.positions[authField]?.file;
  const key = authKey(settings).split(".").at(-1) ?? "auth";
  const other = key === "auth" ? "auth mode" : key;
  return [{ field: authField, variables, remedy: `${set}, or choose another ${other} in ${file ?? "bridle.yaml"}.` }];
}

/** Returns the key that sets the auth mode, by its name in the file that sets it. */
function authKey({ positions, providerSource: source }: Settings): string {
  const file = positions[authField]?.file;
  if (file === undefined || file !== source?.file) return "auth";
  return `${source.holder}.${source.keys.auth ?? "auth"}`;
}

/** Formats the problem with the auth mode's variables, such as `auth: api_key needs KEY, which the environment does not have.` */
export function authSentence(settings: Settings, variables: readonly string[]): string {
  const mode = hostOf(settings.provider.backend).auth?.modeOf(settings.provider);
  return `${authKey(settings)}: ${mode} needs ${variables.join(" and ")}, which the environment does not have.`;
}

/** Lists the missing settings of the chosen backend, including credentials. */
export function findMissingProviderSettings(settings: Settings): MissingSetting[] {
  const { provider, otherBackend } = settings;
  const found = findMissing("llm.provider", provider, hostOf(provider.backend).needs, settings);
  const { providerSource: source } = settings;
  if (source) return found.map((each) => rewordFor(source, each));
  if (otherBackend === undefined) return found;
  return found.map((each) => ({
    ...each,
    remedy: each.remedy.replace("Write", `Write "backend: ${provider.backend}" and`),
  }));
}

/** Rewrites the remedy with the names that the file that sets the provider uses. */
function rewordFor(
  { file, holder, keys }: ProviderSource,
  { field, remedy, variables }: MissingSetting,
): MissingSetting {
  const named = Object.entries(keys).reduce(
    (text, [ours, theirs]) => text.replaceAll(`"${ours}:`, `"${theirs}:`),
    remedy,
  );
  return {
    field,
    variables,
    remedy: named.replace(
      /under (?:llm\.provider|embeddings) in bridle\.yaml/,
      `under ${holder} in ${file}, or set it in bridle.yaml`,
    ),
  };
}

/** Lists the missing settings of `embeddings`. */
export function findMissingEmbeddingSettings(settings: Settings): MissingSetting[] {
  const { embeddings, embeddingsSource: source } = settings;
  const found = findMissing("embeddings", embeddings, embedderDefinition(embeddings.backend).needs, settings);
  return source ? found.map((each) => rewordFor(source, each)) : found;
}

/** Throws a ConfigError about the first missing setting, if there is one. */
export function requireAll(missing: readonly MissingSetting[], subject: string, settings: Settings): void {
  const [first] = missing;
  if (first !== undefined) throw missingError(first, subject, settings);
}

/** Creates the error about a missing setting. */
export function missingError(
  { field, variables, remedy }: MissingSetting,
  subject: string,
  settings: Settings,
): ConfigError {
  const holder = field.slice(0, field.lastIndexOf("."));
  const position = settings.positions[field] ?? settings.positions[holder];
  const at = { field, ...(position && { position }) };
  if (field === authField) return new ConfigError(`${authSentence(settings, variables)} ${remedy}`, at);
  const other = field.startsWith("llm.") ? settings.otherBackend : undefined;
  const about = settings.configFile === undefined ? "there is no bridle.yaml" : `bridle.yaml is about ${other}`;
  const file = other === undefined ? "" : `: ${about}`;
  return new ConfigError(`${subject} needs ${shownField(field, settings)}, which is missing${file}. ${remedy}`, at);
}

function findMissing(
  holder: Holder,
  values: object,
  needs: readonly SettingNeed[],
  { absent, namespace }: Pick<Settings, "absent" | "namespace">,
): MissingSetting[] {
  const remedyFor = (variables: readonly string[]) =>
    namespace === undefined
      ? `Set ${variables.join(" and ")} in the environment.`
      : `Pass ${variables.join(" and ")} in the option environment. A namespace gets no credentials from this process.`;
  const unset = Object.entries(absent).flatMap(([field, variables]) =>
    field.startsWith(`${holder}.`) ? [{ field, variables, remedy: remedyFor(variables) }] : [],
  );
  const reported = (key: string) => unset.some(({ field }) => field === `${holder}.${key}`);
  const has = (key: string) => Reflect.get(values, key) !== undefined || reported(key);
  const isNeeded = ({ unless }: SettingNeed) =>
    unless === undefined || Reflect.get(values, unless.key) !== unless.value;
  const open = needs.filter((need) => isNeeded(need) && !need.ways.some((way) => Object.keys(way).every(has)));
  return [...unset, ...open.flatMap(({ ways }) => missingLine(holder, ways, has))];
}

/** Describes the missing keys of an alternative that is partly configured; else those of the first, with the others as alternatives. */
function missingLine(holder: Holder, ways: SettingNeed["ways"], has: (key: string) => boolean): MissingSetting[] {
  const begun = ways.find((way) => Object.keys(way).some(has));
  const [usual = {}, ...others] = begun === undefined ? ways : [begun];
  const lines = Object.entries(usual).filter(([key]) => !has(key));
  const or = others.map((way) => `, or ${Object.entries(way).map(inYaml).join(" and ")}`).join("");
  return lines.slice(0, 1).map(([key]) => ({
    field: `${holder}.${key}`,
    variables: [],
    remedy: `Write ${lines.map(inYaml).join(" and ")}${or} under ${holder} in bridle.yaml.`,
  }));
}

function inYaml([key, value]: readonly [string, string]): string {
  return `"${key}: ${value}"`;
}
