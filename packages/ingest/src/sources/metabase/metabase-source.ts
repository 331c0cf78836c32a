import { ConfigError } from "@bridle/protocol";
import { parseServiceAddress } from "@bridle/warehouse";
import type { SourceServices } from "../kinds/source-kind.ts";
import type { IngestSource } from "../source.ts";
import { MetabaseApiSource } from "./metabase-api-source.ts";
import { MetabaseClient } from "./metabase-client.ts";
import { MetabaseExportSource } from "./metabase-export-source.ts";
import type { MetabaseSettings } from "./metabase-settings.ts";

/** Creates the source. Throws ConfigError unless the settings name either a folder or the API. */
export function createMetabaseSource(name: string, settings: MetabaseSettings, services: SourceServices): IngestSource {
  const { path, url } = settings;
  if ((path === undefined) === (url === undefined))
    throw new ConfigError(
      `The source ${name} needs either path, for exported cards, or url, for the API. Write one of them; its variable may not be set.`,
    );
  if (path !== undefined) return new MetabaseExportSource(name, settings, services.projectDir);
  const base = parseServiceAddress(url ?? "", `context.sources.${name}.url`);
  return new MetabaseApiSource(name, new MetabaseClient(name, base, settings, services), settings);
}
