import type { SourcePosition } from "@bridle/protocol";
import type { ProviderSource } from "./given-provider.ts";

/** Where settings come from. */
interface PlacedSettings {
  readonly providerSource?: ProviderSource | undefined;
  readonly embeddingsSource?: ProviderSource | undefined;
  readonly positions: Readonly<Record<string, SourcePosition>>;
}

/** A path as it is named in the file that has the setting, or would have it. */
export function shownField(field: string, { providerSource, embeddingsSource, positions }: PlacedSettings): string {
  const source = field.startsWith("embeddings.") ? embeddingsSource : providerSource;
  const file = positions[field]?.file;
  if (source === undefined || (file !== undefined && file !== source.file)) return field;
  if (field === "llm.models.default") return `${source.holder}.name`;
  const [, key] = /^(?:llm\.provider|embeddings)\.(.+)$/.exec(field) ?? [];
  return key === undefined ? field : `${source.holder}.${source.keys[key] ?? key}`;
}
