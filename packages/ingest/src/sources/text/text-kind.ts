import type { SourceKind } from "../kinds/source-kind.ts";
import { textSettingsSchema } from "./text-settings.ts";

export const textKind: SourceKind<typeof textSettingsSchema> = {
  type: "text",
  schema: textSettingsSchema,
  secretKeys: [],
  reachesService: false,
  load: async () => ({ create: (await import("./text-source.ts")).createTextSource }),
};
