import { inParallel } from "@bridle/core";
import type { TableName } from "../../../port/structure.ts";
import type { BigQueryClient } from "../session/bigquery-client.ts";
import { BigQueryFailure } from "../session/failures.ts";
import { parallelRequests } from "./parallel-requests.ts";
import type { BigQueryPlaces } from "./places.ts";
import { type TableResource, tableSchema } from "./table-resource.ts";

/**
 * Returns a change marker for each table. Tables that BigQuery stores are marked by their last change. Other tables, and tables that rows
 * stream into, have no marker.
 */
export function readBigQueryMarks(
  client: BigQueryClient,
  places: BigQueryPlaces,
  tables: readonly TableName[],
  signal: AbortSignal | undefined,
): Promise<readonly (string | undefined)[]> {
  return inParallel(tables, { parallel: parallelRequests }, async ({ schema, table }) => {
    const place = places.placeOf(schema);
    if (place === undefined) return undefined;
    const path = [place.project, "datasets", place.dataset, "tables", table];
    try {
      return markOf(await client.send({ path, query: { view: "STORAGE_STATS" }, signal }, tableSchema));
    } catch (error) {
      if (error instanceof BigQueryFailure && (error.status === 403 || error.status === 404)) return undefined;
      throw error;
    }
  });
}

function markOf({ type, lastModifiedTime, numRows, numBytes, streamingBuffer }: TableResource): string | undefined {
  if (type !== "TABLE" || lastModifiedTime === undefined || streamingBuffer !== undefined) return undefined;
  return `${lastModifiedTime}-${numRows ?? ""}-${numBytes ?? ""}`;
}
