import type { SourcePosition } from "@bridle/protocol";
import type { ProviderSource } from "./given-provider.ts";

/** The files that settings come from. */
interface PlacedSettings {
  readonly providerSource?: ProviderSource | undefined;
  readonly embeddingsSource?: ProviderSource | undefined;
  readonly positions: Readonly<Record<string, SourcePosition>>;
}

/** Formats the path of a setting with the names of the file that contains the setting, or would contain it. */
export function shownField(field: string, { providerSource, embeddingsSource, positions }: PlacedSettings): string {
  const source = field.startsWith("embeddings.") ? embeddingsSource : providerSource;
  const file = positions[field]?.file;
  if (source === undefined || (file !== undefined && file !== source.file)) return field;
  if (field === "llm.models.default") return `${source.holder}.name`;
  const [, key] = /^(?:llm\.provider|embeddings)\.(.+)$/.exec(field) ?? [];
  return key === undefined ? field : `${source.holder}.${source.keys[key] ?? key}`;
}
