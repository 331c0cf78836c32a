import { expect, test } from "vitest";
import { errorOf } from "../support/reading.ts";
import { fail } from "./bigquery-server.ts";
import { addShop } from "./bigquery-shop.ts";
import { openBigQuery } from "./open-bigquery.ts";

test("the structure of BigQuery has nested columns, declared keys, rows, partitions and problems", async () => {
  const { server, connection } = await openBigQuery();
  addShop(server);
  const { tables, problems } = await connection.readStructure(undefined);
  expect(tables[0]).toEqual({
    schema: "shop",
    table: "orders",
    kind: "table",
    columns: [
      { name: "id", type: "integer", nativeType: "INT64", nullable: false, comment: undefined },
      { name: "customer_id", type: "integer", nativeType: "INT64", nullable: true, comment: "who bought" },
      { name: "total", type: "decimal", nativeType: "NUMERIC(12, 2)", nullable: true, comment: undefined },
      {
        name: "lines",
        type: "array",
        nativeType: "ARRAY<STRUCT<sku STRING, price NUMERIC>>",
        nullable: false,
        comment: undefined,
      },
    ],
    primaryKey: ["id"],
    uniqueKeys: [],
    foreignKeys: [{ columns: ["customer_id"], references: { schema: "shop", table: "customers", columns: ["id"] } }],
    comment: "What was sold\nPartitioned by placed (DAY). Each statement needs a condition on it.",
    estimatedRows: 3,
  });
  expect(tables.slice(1)).toMatchObject([
    { table: "customers", kind: "table", estimatedRows: 90_000_000, comment: undefined },
    {
      table: "latest",
      kind: "view",
      estimatedRows: undefined,
      reads: ["customers", "orders"].map((table) => ({ schema: "shop", table })),
    },
    { table: "external", kind: "table", estimatedRows: undefined },
  ]);
  expect(problems).toEqual([
    {
      schema: "closed",
      table: "*",
      problem: "Access Denied: Dataset shop-data:closed. Grant the account BigQuery Data Viewer.",
    },
    {
      schema: "shop",
      table: "secret",
      kind: "table",
      problem: "Access Denied: Table shop-data:shop.secret. Grant the account BigQuery Data Viewer.",
    },
  ]);
  expect(connection.statements).toBe(0);
});

test("only the datasets of BigQuery that are asked for are read, and one that is missing is a problem", async () => {
  const { server, connection } = await openBigQuery();
  addShop(server);
  const { tables, problems } = await connection.readStructure(["shop", "shpo", "other-data.shop"]);
  expect(tables.map(({ table }) => table)).toEqual(["orders", "customers", "latest", "external"]);
  expect(problems.map(({ schema, problem }) => [schema, problem])).toContainEqual([
    "shpo",
    "There is no such dataset. Correct its name.",
  ]);
  expect(server.requests.some(({ path }) => path === "/datasets" || path.includes("other-data"))).toBe(false);
});

test("datasets of BigQuery in other projects of the settings are schemas with the names of their projects", async () => {
  const { server, connection } = await openBigQuery(undefined, { projects: ["public-data"] });
  const other = "/bigquery/v2/projects/public-data/datasets";
  server.resources.set(other, { datasets: [{ datasetReference: { datasetId: "weather" } }] });
  server.resources.set(`${other}/weather/tables`, { tables: [{ tableReference: { tableId: "days" } }] });
  server.resources.set(`${other}/weather/tables/days`, {
    type: "TABLE",
    schema: { fields: [{ name: "d", type: "DATE" }] },
  });
  const { tables } = await connection.readStructure(undefined);
  expect(tables.map(({ schema, table }) => [schema, table])).toEqual([["public-data.weather", "days"]]);
  expect((await connection.readStructure(["public-data.weather"])).tables.length).toBe(1);
});

test("lists of datasets and tables of BigQuery are read to their last page", async () => {
  const { server, connection } = await openBigQuery();
  addShop(server);
  const page = (query: URLSearchParams, first: object, second: object) =>
    query.get("pageToken") === "next" ? second : { ...first, nextPageToken: "next" };
  server.intercept = ({ path, query }, response) => {
    const name = (tableId: string) => ({ tables: [{ tableReference: { tableId } }] });
    const dataset = (datasetId: string) => ({ datasets: [{ datasetReference: { datasetId } }] });
    const body =
      path === "/datasets"
        ? page(query, dataset("closed"), dataset("shop"))
        : path === "/datasets/shop/tables" && page(query, name("orders"), name("latest"));
    if (body === false) return false;
    response.end(JSON.stringify(body));
    return true;
  };
  const { tables } = await connection.readStructure(undefined);
  expect(tables.map(({ table }) => table)).toEqual(["orders", "latest"]);
});

test("a quota of BigQuery that is used up ends the reading of a structure", async () => {
  const { server, connection } = await openBigQuery();
  addShop(server);
  server.intercept = ({ path }, response) => {
    if (!path.endsWith("/customers")) return false;
    fail(response, [403, "quotaExceeded", "Quota exceeded: tables.get"]);
    return true;
  };
  expect(await errorOf(connection.readStructure(undefined))).toMatchObject({ code: "rate_limit" });
});

test("an aborted signal ends the reading of a structure of BigQuery", async () => {
  const { server, connection } = await openBigQuery();
  addShop(server);
  const controller = new AbortController();
  server.intercept = ({ path }) => {
    if (path === "/datasets/shop/tables") controller.abort();
    return false;
  };
  expect(await errorOf(connection.readStructure(undefined, { signal: controller.signal }))).toMatchObject({
    code: "stopped",
  });
});

test("change marks of BigQuery are those of stored tables into which no rows stream", async () => {
  const { server, connection } = await openBigQuery();
  addShop(server);
  const tables = ["orders", "customers", "latest", "external", "secret", "gone"].map((table) => ({
    schema: "shop",
    table,
  }));
  expect(await connection.readChangeMarks([...tables, { schema: "other-data.shop", table: "orders" }])).toEqual([
    "1700000000000-3-300",
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test("permissions of a BigQuery account beyond reading are shown, and layers are said as they are", async () => {
  const { server, connection } = await openBigQuery();
  addShop(server);
  expect(await connection.inspectSafety()).toEqual([
    { layer: "parser", ok: true, message: "Each statement is read as one SELECT of known functions, or refused." },
    {
      layer: "session",
      ok: true,
      message:
        "Each statement is tried with a dry run, and runs only if BigQuery itself takes it for a SELECT. BigQuery has no read-only session.",
    },
    { layer: "account", ok: true, message: "The account can only read in shop-data." },
  ]);
  server.resources.set("/datasets/shop/tables/orders:testIamPermissions", {
    permissions: ["bigquery.tables.updateData", "bigquery.tables.delete"],
  });
  expect((await connection.inspectSafety())[2]).toEqual({
    layer: "account",
    ok: false,
    message:
      "The account has bigquery.tables.updateData, bigquery.tables.delete on tables of shop; use one that has only BigQuery Data Viewer and BigQuery Job User.",
  });
});

test("an empty BigQuery project says that it could not be asked what the account may do", async () => {
  const { connection } = await openBigQuery();
  expect((await connection.inspectSafety())[2]).toEqual({
    layer: "account",
    ok: false,
    message: "There is no table in shop-data to ask what the account may do.",
  });
});
