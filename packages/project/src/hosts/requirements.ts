/** What each backend cannot do without, by the keys of its mapping in `bridle.yaml`. */
import { ConfigError, type SettingNeed } from "@bridle/protocol";
import { embedderDefinition } from "../embeddings/embedder-registry.ts";
import type { ProviderSource } from "../settings/given-provider.ts";
import type { Settings } from "../settings/settings.ts";
import { hostOf } from "./host-registry.ts";

/** A setting that a host cannot be reached without, and that is not there. */
export interface MissingSetting {
  /** Its path, such as `llm.provider.apiKey`. */
  readonly field: string;
  /** The variables that it is to come from and that are not set; none where the line itself is missing. */
  readonly variables: readonly string[];
  /** What to do. */
  readonly remedy: string;
}

type Holder = "llm.provider" | "embeddings";

/** What the chosen backend needs and does not have, credentials among it. */
export function missingOfProvider(settings: Settings): MissingSetting[] {
  const { provider, otherBackend } = settings;
  const found = findMissing("llm.provider", provider, hostOf(provider.backend).needs, settings);
  const { providerSource: source } = settings;
  if (source) return found.map((each) => inWordsOf(source, each));
  if (otherBackend === undefined) return found;
  return found.map((each) => ({
    ...each,
    remedy: each.remedy.replace("Write", `Write "backend: ${provider.backend}" and`),
  }));
}

/** The same in the words of the file that set the provider. */
function inWordsOf(
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

/** The same for `embeddings`. */
export function missingOfEmbeddings(settings: Settings): MissingSetting[] {
  const { embeddings, embeddingsSource: source } = settings;
  const found = findMissing("embeddings", embeddings, embedderDefinition(embeddings.backend).needs, settings);
  return source ? found.map((each) => inWordsOf(source, each)) : found;
}

/** Throws a ConfigError about the first that is missing. */
export function requireAll(missing: readonly MissingSetting[], subject: string, settings: Settings): void {
  const [first] = missing;
  if (first === undefined) return;
  const { field, remedy } = first;
  const other = field.startsWith("llm.") ? settings.otherBackend : undefined;
  const about = settings.configFile === undefined ? "there is no bridle.yaml" : `bridle.yaml is about ${other}`;
  const file = other === undefined ? "" : `: ${about}`;
  const holder = field.slice(0, field.lastIndexOf("."));
  const position = settings.positions[field] ?? settings.positions[holder];
  throw new ConfigError(`${subject} needs ${shownField(field, settings)}, which is missing${file}. ${remedy}`, {
    field,
    ...(position && { position }),
  });
}

/** A path as the file has it in which it is set. */
function shownField(
  field: string,
  { providerSource, embeddingsSource }: Pick<Settings, "providerSource" | "embeddingsSource">,
): string {
  const [, holder, key = ""] = /^(llm\.provider|embeddings)\.(.+)$/.exec(field) ?? [];
  const source = holder === "embeddings" ? embeddingsSource : providerSource;
  return holder === undefined || source === undefined ? field : `${source.holder}.${source.keys[key] ?? key}`;
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
      : `Hand ${variables.join(" and ")} over in the option environment; a namespace uses none of this process's variables.`;
  const unset = Object.entries(absent).flatMap(([field, variables]) =>
    field.startsWith(`${holder}.`) ? [{ field, variables, remedy: remedyFor(variables) }] : [],
  );
  const reported = (key: string) => unset.some(({ field }) => field === `${holder}.${key}`);
  const has = (key: string) => Reflect.get(values, key) !== undefined || reported(key);
  const open = needs.filter(({ ways }) => !ways.some((way) => Object.keys(way).every(has)));
  return [...unset, ...open.flatMap(({ ways }) => missingLine(holder, ways, has))];
}

/** Of a way that was begun, what it lacks; else the first way, with the others beside it. */
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
