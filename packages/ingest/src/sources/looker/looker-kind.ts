import type { SourceKind } from "../kinds/source-kind.ts";
import { lookerSettingsSchema } from "./looker-settings.ts";

export const lookerKind: SourceKind<typeof lookerSettingsSchema> = {
  type: "looker",
  schema: lookerSettingsSchema,
  secretKeys: ["clientSecret", "clientId"],
  reachesService: true,
  load: async () => ({ create: (await import("./looker-source.ts")).createLookerSource }),
};
