import type { SourceKind } from "../kinds/source-kind.ts";
import { dbtSettingsSchema } from "./dbt-settings.ts";

export const dbtKind: SourceKind<typeof dbtSettingsSchema> = {
  type: "dbt",
  schema: dbtSettingsSchema,
  secretKeys: [],
  reachesService: false,
  load: async () => ({ create: (await import("./dbt-source.ts")).createDbtSource }),
};
