import { ConfigError } from "@bridle/protocol";
import { parseServiceAddress } from "@bridle/warehouse";
import type { SourceServices } from "../kinds/source-kind.ts";
import type { IngestSource } from "../source.ts";
import { LookerApiSource } from "./looker-api-source.ts";
import { LookerClient } from "./looker-client.ts";
import { LookerExportSource } from "./looker-export-source.ts";
import type { LookerSettings } from "./looker-settings.ts";

/** Creates the source. Throws ConfigError unless the settings name either a folder or the API. */
export function createLookerSource(name: string, settings: LookerSettings, services: SourceServices): IngestSource {
  const { path, url } = settings;
  if ((path === undefined) === (url === undefined))
    throw new ConfigError(
      `The source ${name} needs either path, for exported files, or url, for the API. Write one of them; its variable may not be set.`,
    );
  if (path !== undefined) return new LookerExportSource(name, settings, services.projectDir);
  const base = parseServiceAddress(url ?? "", `context.sources.${name}.url`);
  return new LookerApiSource(name, new LookerClient(name, base, settings, services), settings);
}
