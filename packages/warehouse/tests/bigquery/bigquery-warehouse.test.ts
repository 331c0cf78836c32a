import { expect, onTestFinished, test } from "vitest";
import { bigqueryConnector } from "../../src/connectors/bigquery/bigquery-connector.ts";
import { openWarehouse } from "../../src/warehouse/open-warehouse.ts";
import { connectContext, errorOf } from "../support/reading.ts";
import type { BigQueryAnswer } from "./bigquery-server.ts";
import { addShop } from "./bigquery-shop.ts";
import { account, startBigQuery } from "./open-bigquery.ts";

const result: BigQueryAnswer = { fields: [{ name: "email", type: "STRING" }], rows: [["d1"], ["d2"]] };

async function openShop(settings: object = {}, answer: (sql: string) => BigQueryAnswer = () => result) {
  const server = await startBigQuery(answer);
  addShop(server);
  const config = { ...account, endpoint: server.endpoint, ...settings };
  const warehouse = await openWarehouse({
    name: "shop",
    connector: bigqueryConnector,
    config,
    context: connectContext,
  });
  onTestFinished(() => warehouse.close());
  return { server, warehouse };
}

test("a statement of BigQuery outside of the scope sends nothing, and refusals name what is in scope", async () => {
  const { server, warehouse } = await openShop({ include: ["shop.ord*"] });
  const outside = await errorOf(warehouse.query("SELECT email FROM shop.customers"));
  expect(outside).toMatchObject({ code: "invalid_request", message: expect.stringContaining("shop.customers") });
  expect(await errorOf(warehouse.query("SELECT * FROM `shop-data.shop.ordesr`"))).toMatchObject({
    message: expect.stringContaining("shop.orders"),
  });
  for (const sql of ["SELECT * FROM `shop.INFORMATION_SCHEMA.TABLES`", "SELECT * FROM shop.INFORMATION_SCHEMA.COLUMNS"])
    expect(await errorOf(warehouse.query(sql)), sql).toMatchObject({ code: "invalid_request" });
  const other = await errorOf(warehouse.query("SELECT * FROM `other-data.shop.orders`"));
  expect(other).toMatchObject({ message: expect.stringContaining("outside of the scope") });
  expect(server.tried).toEqual([]);
});

test("a row filter and a digest of BigQuery are in every statement that reads the table", async () => {
  const { server, warehouse } = await openShop({
    filters: { "shop.customers": "region = 'EU'" },
    sensitive: ["shop.customers.email"],
  });
  const { masked, rows } = await warehouse.query("SELECT email FROM `shop-data.shop.customers` AS c WHERE c.id > 1");
  expect([masked, rows]).toEqual([["shop.customers.email"], [["d1"], ["d2"]]]);
  expect(server.ran.at(-1)).toMatch(
    /^SELECT email FROM \(SELECT `rows`\.`id` AS `id`, IF\(`rows`\.`email` IS NULL, NULL, SUBSTR\(TO_HEX\(SHA256\(.+ AS `email`, `rows`\.`region` AS `region` FROM \(SELECT .+ FROM `shop`\.`customers` AS `rows` WHERE \(region = 'EU'\n\) LIMIT 9223372036854775807\) AS `rows`\) AS c WHERE c\.id > 1$/,
  );
});

test("a few rows of a large BigQuery table are drawn from some of its blocks, because columns are billed", async () => {
  const { server, warehouse } = await openShop();
  await warehouse.query("SELECT region FROM shop.customers");
  await warehouse.query("SELECT region FROM shop.latest");
  const limits = server.requests.flatMap(({ body }) => JSON.stringify(body)?.match(/"jobTimeoutMs":"\d+"/) ?? []);
  expect([...new Set(limits)].length).toBe(1);
  const samples = server.ran.filter((sql) => !sql.includes("`rows`"));
  expect(samples).toEqual([
    "SELECT `id`, `region` FROM `shop`.`customers` TABLESAMPLE SYSTEM (1 PERCENT)",
    "SELECT `id`, `region` FROM `shop`.`latest`",
  ]);
});

test("tables of BigQuery that cannot be read leave the others readable", async () => {
  const { warehouse } = await openShop({}, (sql) =>
    sql.includes("`latest`")
      ? { error: [400, "invalidQuery", "Not found: Table shop-data:shop.lost was not found in location EU"] }
      : result,
  );
  expect((await warehouse.query("SELECT id FROM shop.orders")).rows.length).toBe(2);
  expect(await errorOf(warehouse.query("SELECT id FROM shop.latest"))).toMatchObject({
    message: expect.stringMatching(/^Not found: Table .+ was not found in location EU\.$/),
  });
  const { problems } = await warehouse.readStructure();
  expect(problems.map(({ schema, table }) => `${schema}.${table}`)).toEqual(["closed.*", "shop.secret"]);
});

test("an unknown column of BigQuery is answered with the nearest names", async () => {
  const { warehouse } = await openShop({}, (sql) =>
    sql.includes("regoin") ? { error: [400, "invalidQuery", "Unrecognized name: regoin at [1:8]"] } : result,
  );
  expect(await errorOf(warehouse.query("SELECT regoin FROM shop.customers"))).toMatchObject({
    message: expect.stringContaining("region"),
  });
});

test("a dataset of another project is found by the names of both, and its scope is written in quotes", async () => {
  const { server, warehouse } = await openShop({
    projects: ["public-data"],
    include: ['"public-data.weather".d*'],
  });
  const place = "/bigquery/v2/projects/public-data/datasets/weather/tables";
  server.resources.set(place, { tables: ["days", "hours"].map((tableId) => ({ tableReference: { tableId } })) });
  for (const name of ["days", "hours"])
    server.resources.set(`${place}/${name}`, { type: "TABLE", schema: { fields: [{ name: "d", type: "DATE" }] } });
  for (const sql of [
    "SELECT d FROM `public-data.weather.days`",
    "SELECT d FROM `public-data`.weather.days",
    "SELECT d FROM days",
  ])
    await warehouse.query(sql);
  const full = "SELECT d FROM `public-data`.`weather`.`days`";
  expect(server.ran.filter((sql) => !sql.startsWith("SELECT `d`"))).toEqual([full, full, full]);
  for (const sql of ["SELECT d FROM `public-data.weather.hours`", "SELECT id FROM shop.orders"])
    expect(await errorOf(warehouse.query(sql)), sql).toMatchObject({
      message: expect.stringContaining("outside of the scope"),
    });
});
