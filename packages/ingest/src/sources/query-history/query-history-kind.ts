import type { SourceKind } from "../kinds/source-kind.ts";
import { queryHistorySettingsSchema } from "./query-history-settings.ts";

export const queryHistoryKind: SourceKind<typeof queryHistorySettingsSchema> = {
  type: "query_history",
  schema: queryHistorySettingsSchema,
  secretKeys: [],
  reachesService: false,
  load: async () => ({ create: (await import("./query-history-source.ts")).createQueryHistorySource }),
};
