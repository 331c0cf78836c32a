import { z } from "zod";
import type { SafetyFinding } from "../../../port/connector.ts";
import type { BigQueryClient } from "../session/bigquery-client.ts";
import { BigQueryFailure } from "../session/failures.ts";
import type { BigQueryPlaces } from "./places.ts";

const writing = ["bigquery.tables.updateData", "bigquery.tables.update", "bigquery.tables.delete"];
const granted = z.object({ permissions: z.array(z.string()).default([]) });
const datasetList = z.object({
  datasets: z.array(z.object({ datasetReference: z.object({ datasetId: z.string() }) })).default([]),
});
const tableList = z.object({
  tables: z.array(z.object({ tableReference: z.object({ tableId: z.string() }) })).default([]),
});

/** The maximum number of datasets to check. */
const maxDatasets = 20;

/** Checks which write permissions the account has on the first table of each dataset. */
export async function inspectBigQuerySafety(
  client: BigQueryClient,
  places: BigQueryPlaces,
): Promise<readonly SafetyFinding[]> {
  return [
    { layer: "parser", ok: true, message: "Each statement is read as one SELECT of known functions, or refused." },
    {
      layer: "session",
      ok: true,
      message:
        "Each statement is tried with a dry run, and runs only if BigQuery itself takes it for a SELECT. BigQuery has no read-only session.",
    },
    await inspectAccount(client, places),
  ];
}

async function inspectAccount(client: BigQueryClient, places: BigQueryPlaces): Promise<SafetyFinding> {
  const [project = ""] = places.projects;
  const { datasets } = await client.send({ path: [project, "datasets"], query: { maxResults: "1000" } }, datasetList);
  let asked = 0;
  for (const { datasetReference } of datasets.slice(0, maxDatasets)) {
    const held = await permissionsIn(client, project, datasetReference.datasetId);
    if (held === undefined) continue;
    asked += 1;
    if (held.length > 0)
      return {
        layer: "account",
        ok: false,
        message: `The account has ${held.join(", ")} on tables of ${datasetReference.datasetId}; use one that has only BigQuery Data Viewer and BigQuery Job User.`,
      };
  }
  if (asked > 0) return { layer: "account", ok: true, message: `The account can only read in ${project}.` };
  return { layer: "account", ok: false, message: `There is no table in ${project} to ask what the account may do.` };
}

/**
 * Lists the write permissions on a dataset's first table. Undefined if the dataset has no table, or if the account may not check
 * permissions.
 */
async function permissionsIn(client: BigQueryClient, project: string, dataset: string) {
  const path = [project, "datasets", dataset, "tables"];
  try {
    const { tables } = await client.send({ path, query: { maxResults: "1" } }, tableList);
    const [first] = tables;
    if (first === undefined) return undefined;
    const request = { path: [...path, first.tableReference.tableId], verb: ":testIamPermissions" };
    return (await client.send({ ...request, body: { permissions: writing } }, granted)).permissions;
  } catch (error) {
    if (error instanceof BigQueryFailure && (error.status === 403 || error.status === 404)) return undefined;
    throw error;
  }
}
