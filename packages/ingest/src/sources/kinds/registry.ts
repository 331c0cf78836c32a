/** The kinds of sources. Imports no parser, so that it can be used to read every `bridle.yaml`. */
import { dbtKind } from "../dbt/dbt-kind.ts";
import { documentsSourceKind } from "../documents/documents-kind.ts";
import { lookerKind } from "../looker/looker-kind.ts";
import { metabaseKind } from "../metabase/metabase-kind.ts";
import { cubeKind, lookmlKind, metricFlowKind, osiKind } from "../models/model-kinds.ts";
import { notionKind } from "../notion/notion-kind.ts";
import { queryHistoryKind } from "../query-history/query-history-kind.ts";
import { textKind } from "../text/text-kind.ts";
import type { SourceKind } from "./source-kind.ts";

const kinds = [
  documentsSourceKind,
  notionKind,
  dbtKind,
  metricFlowKind,
  lookmlKind,
  osiKind,
  cubeKind,
  lookerKind,
  metabaseKind,
  queryHistoryKind,
  textKind,
] as const;

type Schemas<Kinds extends readonly { readonly schema: unknown }[]> = {
  [Index in keyof Kinds]: Kinds[Index]["schema"];
};

/** Returns the schemas in the order of the kinds, with their types. */
function schemasOf<const Kinds extends readonly SourceKind[]>(all: Kinds): Schemas<Kinds> {
  return all.map(({ schema }) => schema) as unknown as Schemas<Kinds>;
}

export const sourceSchemas: Schemas<typeof kinds> = schemasOf(kinds);
export const sourceKinds: readonly SourceKind[] = kinds;
