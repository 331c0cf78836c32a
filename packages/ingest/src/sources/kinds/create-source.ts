import type { IngestSource } from "../source.ts";
import { sourceKinds } from "./registry.ts";
import type { SourceServices } from "./source-kind.ts";
import { parseSourceSettings } from "./source-settings.ts";

/**
 * Creates a source from its settings. Imports the source's code, but reads nothing and opens no connection before the source fetches.
 *
 * @param settings an entry of `context.sources`, with its variables replaced.
 * @throws ConfigError if the settings are wrong or contradict each other.
 *
 * @example const source = await createSource("wiki", { type: "documents", path: "docs" }, { projectDir });
 */
export async function createSource(name: string, settings: unknown, services: SourceServices): Promise<IngestSource> {
  const parsed = parseSourceSettings(name, settings);
  const kind = sourceKinds.find(({ type }) => type === parsed.type);
  if (kind === undefined) throw new Error(`The kind of source ${parsed.type} is not registered.`);
  const { create } = await kind.load();
  return create(name, parsed, services);
}
