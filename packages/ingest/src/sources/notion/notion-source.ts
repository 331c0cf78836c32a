import { ConfigError } from "@bridle/protocol";
import { parseServiceAddress } from "@bridle/warehouse";
import { createDocumentsSource } from "../documents/documents-source.ts";
import type { SourceServices } from "../kinds/source-kind.ts";
import type { IngestSource } from "../source.ts";
import { NotionApiSource } from "./notion-api-source.ts";
import { NotionClient } from "./notion-client.ts";
import { NotionExportSource } from "./notion-export-source.ts";
import type { NotionSettings } from "./notion-settings.ts";

/** Creates the source. Throws ConfigError unless the settings name either a folder or the API. */
export function createNotionSource(name: string, settings: NotionSettings, services: SourceServices): IngestSource {
  const { path, token, authority = "document" } = settings;
  if ((path === undefined) === (token === undefined))
    throw new ConfigError(
      `The source ${name} needs either path, for an export, or token, for the API. Write one of them; its variable may not be set.`,
    );
  if (path !== undefined)
    return new NotionExportSource(name, createDocumentsSource(name, { type: "documents", path, authority }, services));
  const base = parseServiceAddress(settings.url ?? "https://api.notion.com", `context.sources.${name}.url`);
  const client = new NotionClient(base, token ?? "", services);
  return new NotionApiSource({
    name,
    client,
    roots: settings.pages,
    authority,
    now: () => services.now?.() ?? new Date(),
  });
}
