import type { SourceKind } from "../kinds/source-kind.ts";
import { metabaseSettingsSchema } from "./metabase-settings.ts";

export const metabaseKind: SourceKind<typeof metabaseSettingsSchema> = {
  type: "metabase",
  schema: metabaseSettingsSchema,
  secretKeys: ["apiKey", "password"],
  reachesService: true,
  load: async () => ({ create: (await import("./metabase-source.ts")).createMetabaseSource }),
};
