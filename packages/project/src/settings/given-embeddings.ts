import { ConfigError, type UsualKey } from "@bridle/protocol";
import { embeddingsSchema } from "../config/embeddings.ts";
import { type EmbeddingsConfig, embedderDefinition } from "../registries/embedder-registry.ts";
import { type ProviderSource, readUsualKey } from "./given-provider.ts";
import type { Settings } from "./settings.ts";

/** Embeddings that another file sets, such as an agent file, in the form of `embeddings`. */
export interface GivenEmbeddings {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly source: ProviderSource;
  /** The key's usual variable. It is used if the file sets no key. */
  readonly usualKey?: UsualKey | undefined;
}

/** Settings that are overridden for one use of the embeddings. */
export interface EmbeddingChoice {
  readonly model?: string;
  readonly dimensions?: number;
}

/** Returns the settings with other embeddings instead of the project's. Throws ConfigError if they are not valid. */
export function withEmbeddings(settings: Settings, given: GivenEmbeddings | undefined): Settings {
  if (given === undefined) return settings;
  const { source } = given;
  const assumed = assumeKey(given, settings);
  const own = <T>(byPath: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(byPath).filter(([path]) => !/^embeddings(\.|$)/.test(path)));
  return {
    ...settings,
    embeddings: checked({ ...given.settings, ...(assumed && { apiKey: assumed.text.value }) }, source),
    embeddingsSource: source,
    positions: { ...own(settings.positions), ...source.positions },
    written: { ...own(settings.written), ...source.written, ...(assumed && { [keyPath]: assumed.text.shown }) },
    absent: { ...own(settings.absent), ...source.absent },
    values: [...settings.values, ...source.values, ...(assumed ? [assumed.text] : [])],
    typed: settings.typed.filter((path) => !path.startsWith("embeddings.")),
    ...(assumed && { assumedEmbeddingsKey: assumed.assumedKey }),
  };
}

const keyPath = "embeddings.apiKey";

/** Finds the key of the provider that the file sets, if the key's variable is set. */
function assumeKey({ settings, source, usualKey }: GivenEmbeddings, { environment }: Settings) {
  if (usualKey === undefined || settings.apiKey !== undefined || source.absent[keyPath] !== undefined) return undefined;
  const namesAddress = settings.baseUrl !== undefined || source.absent["embeddings.baseUrl"] !== undefined;
  return readUsualKey(usualKey, { source, namesAddress, environment, at: "embeddings" });
}

/** Returns the settings with another model for the embeddings. Throws ConfigError if the backend has no such choice. */
export function withChoice(settings: Settings, { model, dimensions }: EmbeddingChoice): Settings {
  const { embeddings, embeddingsSource } = settings;
  if (embedderDefinition(embeddings.backend).isNone || (model === undefined && dimensions === undefined))
    return settings;
  const chosen = { ...embeddings, ...(model !== undefined && { model }), ...(dimensions && { dimensions }) };
  const written = { ...settings.written };
  if (model !== undefined) delete written["embeddings.model"];
  const source = embeddingsSource ?? { file: settings.configFile ?? "bridle.yaml", holder: "embeddings" };
  return { ...settings, written, embeddings: checked(chosen, { positions: settings.positions, ...source }) };
}

function checked(
  settings: unknown,
  { file, holder, positions }: Pick<ProviderSource, "file" | "holder" | "positions">,
): EmbeddingsConfig {
  const result = embeddingsSchema.safeParse(settings);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = [holder, ...(issue?.path ?? [])].join(".");
  throw new ConfigError(`${field} cannot be used: ${issue?.message}`, {
    position: positions.embeddings ?? { file },
    field: holder,
  });
}
