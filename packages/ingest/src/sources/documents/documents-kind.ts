import type { SourceKind } from "../kinds/source-kind.ts";
import { documentsSettingsSchema } from "./documents-settings.ts";

export const documentsSourceKind: SourceKind<typeof documentsSettingsSchema> = {
  type: "documents",
  schema: documentsSettingsSchema,
  secretKeys: [],
  reachesService: false,
  load: async () => ({ create: (await import("./documents-source.ts")).createDocumentsSource }),
};
