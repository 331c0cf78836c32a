import type { SourceKind } from "../kinds/source-kind.ts";
import { notionSettingsSchema } from "./notion-settings.ts";

export const notionKind: SourceKind<typeof notionSettingsSchema> = {
  type: "notion",
  schema: notionSettingsSchema,
  secretKeys: ["token"],
  reachesService: true,
  load: async () => ({ create: (await import("./notion-source.ts")).createNotionSource }),
};
