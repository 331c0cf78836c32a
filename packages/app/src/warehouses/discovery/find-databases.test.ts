// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how files refer to the environment
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { connectors } from "@bridle/warehouse/definitions";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findDatabases } from "./find-databases.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bridle-find-"));
  const database = new DatabaseSync(join(folder, "Shop 2.db"));
  database.exec("CREATE TABLE a (b)");
  database.close();
  writeFileSync(join(folder, "letters.db"), "not a database");
  writeFileSync(join(folder, "cube.duckdb"), Buffer.concat([Buffer.alloc(8), Buffer.from("DUCK"), Buffer.alloc(8)]));
  mkdirSync(join(folder, "exports"));
  writeFileSync(join(folder, "exports", "orders.csv"), "a,b\n1,2\n");
  mkdirSync(join(folder, "node_modules"));
  writeFileSync(join(folder, "node_modules", "other.csv"), "a\n1\n");
});
afterAll(() => rmSync(folder, { recursive: true }));

test("database files are found by their first bytes, and folders of CSV files as one connection", async () => {
  expect(await findDatabases({ cwd: folder, environment: {} })).toEqual([
    { name: "shop_2", source: "Shop 2.db", connection: { type: "sqlite", file: "Shop 2.db" } },
    { name: "cube", source: "cube.duckdb", connection: { type: "duckdb", file: "cube.duckdb" } },
    { name: "exports", source: "exports/*.csv", connection: { type: "duckdb", files: ["exports/*.csv"] } },
  ]);
});

test("a variable with the address of a database is named, and its value is nowhere", async () => {
  const found = await findDatabases({
    cwd: join(folder, "node_modules", "none"),
    environment: {
      DATABASE_URL: "postgres://me:secret@db/shop",
      SALES_DB_URL: "postgresql://x:secret@y/z",
      SITE: "https://a.b",
    },
  });
  expect(found).toEqual([
    {
      name: "warehouse",
      source: "the variable DATABASE_URL",
      connection: { type: "postgres", url: "${DATABASE_URL}" },
    },
    { name: "sales", source: "the variable SALES_DB_URL", connection: { type: "postgres", url: "${SALES_DB_URL}" } },
  ]);
  expect(JSON.stringify(found)).not.toContain("secret");
});

test("each entry that is found has the keys of its engine", async () => {
  const home = join(folder, "exports");
  writeFileSync(join(home, ".pg_service.conf"), "[sales]\nport=5433\nuser=reader\ndbname=shop\n");
  writeFileSync(join(home, ".my.cnf"), "[client]\nuser=me\ndatabase=crm\n");
  const found = await findDatabases({ cwd: folder, environment: { HOME: home, DATABASE_URL: "postgres://a/b" } });
  expect(found.map(({ connection }) => connection.type)).toEqual([
    "sqlite",
    "duckdb",
    "duckdb",
    "postgres",
    "postgres",
    "mysql",
  ]);
  for (const { connection } of found) {
    const connector = connectors.find(({ type }) => type === connection.type);
    expect(connector?.schema.strict().safeParse(connection).error).toBeUndefined();
  }
});

test("services of PostgreSQL and the client of MySQL are found without their passwords", async () => {
  const home = join(folder, "exports");
  writeFileSync(
    join(home, ".pg_service.conf"),
    "[sales]\nhost=db.example\nport=5433\nuser=reader\npassword=hidden\ndbname=shop\n",
  );
  writeFileSync(join(home, ".my.cnf"), "[client]\nuser=me\npassword=hidden\ndatabase=crm\n");
  const found = await findDatabases({ cwd: join(folder, "node_modules", "none"), environment: { HOME: home } });
  const password = "${SALES_PASSWORD}";
  expect(found).toEqual([
    {
      name: "sales",
      source: "the service sales of ~/.pg_service.conf",
      connection: { type: "postgres", host: "db.example", port: 5433, user: "reader", password, database: "shop" },
    },
    {
      name: "mysql",
      source: "~/.my.cnf",
      connection: { type: "mysql", host: "localhost", user: "me", password: "${MYSQL_PASSWORD}", database: "crm" },
    },
  ]);
});

test("databases of one name get different names", async () => {
  const environment = { DATABASE_URL: "postgres://a/b", DB_URL: "postgres://a/c" };
  const found = await findDatabases({ cwd: join(folder, "none"), environment });
  expect(found.map(({ name }) => name)).toEqual(["warehouse", "warehouse_2"]);
});
