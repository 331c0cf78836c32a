import { inParallel } from "@bridle/core";
import { z } from "zod";
import type {
  ReadTables,
  TableName,
  TableProblem,
  TableStructure,
  WarehouseStructure,
} from "../../../port/structure.ts";
import { findReadTables } from "../../../statements/find-read-tables.ts";
import { bigqueryDialect } from "../dialect/bigquery-dialect.ts";
import type { BigQueryClient } from "../session/bigquery-client.ts";
import { BigQueryFailure } from "../session/failures.ts";
import { parallelRequests } from "./parallel-requests.ts";
import type { BigQueryPlaces, DatasetPlace } from "./places.ts";
import { selectOf, structureOf, type TableResource, tableKindOf, tableSchema } from "./table-resource.ts";

const together = { parallel: parallelRequests };

const datasetList = z.object({
  datasets: z.array(z.object({ datasetReference: z.object({ datasetId: z.string() }) })).default([]),
  nextPageToken: z.string().optional(),
});
const tableList = z.object({
  tables: z
    .array(z.object({ tableReference: z.object({ tableId: z.string() }), type: z.string().default("TABLE") }))
    .default([]),
  nextPageToken: z.string().optional(),
});

type ListedTable = Pick<TableStructure, "schema" | "table" | "kind">;

/**
 * Reads the structure with one request for each table, which is free of charge. Objects that the account may not read are reported as
 * problems. A problem with the table `*` concerns the whole dataset.
 */
export class BigQueryStructureReader {
  readonly #client: BigQueryClient;
  readonly #places: BigQueryPlaces;
  readonly #signal: AbortSignal | undefined;
  readonly #problems: TableProblem[] = [];

  constructor(client: BigQueryClient, places: BigQueryPlaces, signal: AbortSignal | undefined) {
    this.#client = client;
    this.#places = places;
    this.#signal = signal;
  }

  async read(schemas: readonly string[] | undefined): Promise<WarehouseStructure> {
    const datasets = schemas === undefined ? await this.#listAll() : this.#named(schemas);
    const names = (await inParallel(datasets, together, (dataset) => this.#listTables(dataset))).flat();
    const tables = await inParallel(names, together, (name) => this.#describe(name));
    return { tables: tables.filter((table) => table !== undefined), problems: this.#problems };
  }

  #named(schemas: readonly string[]): readonly DatasetPlace[] {
    return schemas.map((schema) => this.#places.placeOf(schema)).filter((place) => place !== undefined);
  }

  async #listAll(): Promise<readonly DatasetPlace[]> {
    const lists = await inParallel(this.#places.projects, together, async (project) => {
      const pages = await this.#pages([project, "datasets"], datasetList);
      const ids = pages.flatMap(({ datasets }) => datasets.map(({ datasetReference }) => datasetReference.datasetId));
      return ids.map((dataset) => ({ project, dataset }));
    });
    return lists.flat();
  }

  async #listTables(place: DatasetPlace): Promise<readonly ListedTable[]> {
    const schema = this.#places.schemaOf(place);
    try {
      const pages = await this.#pages([place.project, "datasets", place.dataset, "tables"], tableList);
      return pages.flatMap(({ tables }) =>
        tables.map((each) => ({ schema, table: each.tableReference.tableId, kind: tableKindOf(each) })),
      );
    } catch (error) {
      this.#note({ schema, table: "*" }, error);
      return [];
    }
  }

  async #describe(name: ListedTable): Promise<TableStructure | undefined> {
    const place = this.#places.placeOf(name.schema);
    if (place === undefined) return undefined;
    const path = [place.project, "datasets", place.dataset, "tables", name.table];
    const query = { view: "STORAGE_STATS" };
    try {
      const table = await this.#client.send({ path, query, signal: this.#signal }, tableSchema);
      return { ...structureOf(name, table, this.#places), reads: await this.#readsOf(name, table) };
    } catch (error) {
      this.#note(name, error);
      return undefined;
    }
  }

  /** Finds the tables that a view reads. A view in a dataset of another project reads tables of that project if it names no project. */
  async #readsOf({ schema }: ListedTable, table: TableResource): Promise<ReadTables | undefined> {
    if (tableKindOf(table) !== "view") return undefined;
    const select = selectOf(table);
    const home = this.#places.placeOf(schema)?.project ?? "";
    if (select === undefined) return "unknown";
    return findReadTables(bigqueryDialect, select, (parts) => this.#tablesOf(parts, home));
  }

  #tablesOf(parts: readonly string[], home: string): readonly TableName[] {
    const [table, dataset, project = home, ...more] = parts.toReversed();
    if (table === undefined || dataset === undefined || more.length > 0) return [];
    return [{ schema: this.#places.schemaOf({ project, dataset }), table }];
  }

  /** Records a missing permission or an unknown name as a problem. Rethrows other failures. */
  #note(name: Omit<TableProblem, "problem">, error: unknown): void {
    if (!(error instanceof BigQueryFailure) || (error.status !== 403 && error.status !== 404)) throw error;
    if (error.status === 403 && /rateLimit|quota/i.test(error.reason)) throw error;
    if (error.status === 404 && name.table !== "*") return;
    const reason = error.status === 404 ? "There is no such dataset." : error.message;
    const remedy = error.status === 404 ? "Correct its name." : "Grant the account BigQuery Data Viewer.";
    this.#problems.push({ ...name, problem: `${reason} ${remedy}` });
  }

  async #pages<Schema extends z.ZodType<{ nextPageToken?: string | undefined }>>(
    path: readonly string[],
    schema: Schema,
  ): Promise<readonly z.output<Schema>[]> {
    const pages: z.output<Schema>[] = [];
    let pageToken: string | undefined;
    do {
      const query = { maxResults: "1000", pageToken };
      const page = await this.#client.send({ path, query, signal: this.#signal }, schema);
      pages.push(page);
      pageToken = page.nextPageToken;
    } while (pageToken !== undefined);
    return pages;
  }
}
