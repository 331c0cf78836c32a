import { expect } from "vitest";
import type { z } from "zod";
import type { ConnectorBench } from "./bench.ts";
import type { Law } from "./law.ts";
import { hostileNames } from "./standard-tables.ts";

export function structureLaws<Schema extends z.ZodObject>(bench: ConnectorBench<Schema>): readonly Law[] {
  return [
    { title: "lists tables and views with their columns in order", hold: () => listsColumns(bench) },
    { title: "says which tables a view reads", hold: () => saysReads(bench) },
    { title: "says which columns can be NULL", hold: () => saysNullable(bench) },
    { title: "lists primary keys of one and of several columns", hold: () => listsPrimaryKeys(bench) },
    { title: "lists unique keys", hold: () => listsUniqueKeys(bench) },
    { title: "lists foreign keys of one and of several columns", hold: () => listsForeignKeys(bench) },
    { title: "reads comments of tables and columns", hold: () => readsComments(bench) },
    { title: "lists and reads tables and columns with hostile names", hold: () => readsHostileNames(bench) },
    { title: "reads the structure of the named schemas only", hold: () => limitsSchemas(bench) },
    { title: "leaves out the tables of the engine itself", hold: () => leavesOutCatalog(bench) },
    { title: "reads the structure with a number of statements that does not grow", hold: () => readsCheaply(bench) },
  ];
}

type Check = <Schema extends z.ZodObject>(bench: ConnectorBench<Schema>) => Promise<void>;

const listsColumns: Check = async (bench) => {
  const orders = await bench.table("orders");
  expect(orders.kind).toBe("table");
  expect(orders.columns.map(({ name }) => name)).toEqual([
    "id",
    "customer_id",
    "country",
    "region",
    "amount",
    "placed",
  ]);
  expect(orders.columns.map(({ type }) => type)).toEqual(["integer", "integer", "text", "text", "decimal", "date"]);
  expect(orders.columns.every(({ nativeType }) => nativeType !== "")).toBe(true);
  const view = await bench.table("order_names");
  expect(view.kind).toBe("view");
  expect(view.columns.map(({ name }) => name)).toEqual(["id", "name"]);
};

const saysReads: Check = async (bench) => {
  const { reads } = await bench.table("order_names");
  const tables =
    reads === undefined || reads === "unknown" ? reads : [...reads].sort((a, b) => (a.table < b.table ? -1 : 1));
  expect(tables).toEqual([bench.name("customers"), bench.name("orders")]);
  expect((await bench.table("orders")).reads).toBeUndefined();
};

const saysNullable: Check = async (bench) => {
  const { columns } = await bench.table("customers");
  expect(columns.map(({ name, nullable }) => [name, nullable])).toEqual([
    ["id", false],
    ["name", false],
    ["email", true],
  ]);
};

const listsPrimaryKeys: Check = async (bench) => {
  expect((await bench.table("customers")).primaryKey).toEqual(["id"]);
  expect((await bench.table("regions")).primaryKey).toEqual(["country", "code"]);
  expect((await bench.table("numbers")).primaryKey).toEqual([]);
};

const listsUniqueKeys: Check = async (bench) => {
  expect((await bench.table("customers")).uniqueKeys).toEqual([["email"]]);
  expect((await bench.table("orders")).uniqueKeys).toEqual([]);
};

const listsForeignKeys: Check = async (bench) => {
  const { foreignKeys } = await bench.table("orders");
  expect(foreignKeys).toHaveLength(2);
  expect(foreignKeys).toEqual(
    expect.arrayContaining([
      { columns: ["customer_id"], references: { ...bench.name("customers"), columns: ["id"] } },
      { columns: ["country", "region"], references: { ...bench.name("regions"), columns: ["country", "code"] } },
    ]),
  );
};

const readsComments: Check = async (bench) => {
  const comment = 'Who buys; "quoted"';
  expect((await bench.table("customers")).comment).toBe(comment);
  expect((await bench.columnOf("customers", "name"))?.comment).toBe(comment);
  expect((await bench.columnOf("customers", "email"))?.comment).toBeUndefined();
};

const readsHostileNames: Check = async (bench) => {
  const hostile = hostileNames(bench.harness);
  const { columns } = await bench.table(hostile.table);
  expect(columns.map(({ name }) => name)).toEqual(hostile.columns);
  const { sql } = bench.harness.connector.dialect.selectSample(bench.name(hostile.table), hostile.columns);
  const answer = await bench.read(sql);
  expect(answer.columns.map(({ name }) => name)).toEqual(hostile.columns);
  expect(answer.rows).toEqual([hostile.columns.map((_, index) => BigInt(index))]);
};

const limitsSchemas: Check = async (bench) => {
  const { tables } = await bench.connection.readStructure([bench.fixture.schema]);
  expect(new Set(tables.map(({ schema }) => schema))).toEqual(new Set([bench.fixture.schema]));
  expect((await bench.connection.readStructure(["no_such_schema"])).tables).toEqual([]); // the schema may be reported as a problem
};

const leavesOutCatalog: Check = async (bench) => {
  const { tables, problems } = await bench.connection.readStructure(undefined);
  const names = tables.filter(({ schema }) => schema === bench.fixture.schema).map(({ table }) => table);
  const standard = ["customers", "exact", "numbers", "order_names", "orders", "regions"];
  expect(names.filter((name) => name !== hostileNames(bench.harness).table).sort()).toEqual(standard);
  expect(tables.filter(({ schema }) => /information_schema|pg_catalog|^sys$|^mysql$|^system$/i.test(schema))).toEqual(
    [],
  );
  expect(problems).toEqual([]);
};

/** Checks the number of statements: there are few standard tables, so a larger number would mean several statements for each table. */
const readsCheaply: Check = async (bench) => {
  const before = bench.connection.statements;
  const { tables } = await bench.connection.readStructure(undefined);
  expect(bench.connection.statements - before).toBeGreaterThan(0);
  expect(bench.connection.statements - before).toBeLessThanOrEqual(
    12 + tables.filter(({ kind }) => kind === "view").length * 2,
  );
};
