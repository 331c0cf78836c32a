import type { z } from "zod";
import type { ConnectorBench } from "./bench.ts";
import type { ConnectorHarness, ExactValue } from "./harness.ts";

/** The name of a table. This name and its columns' names try to break out of every quote. */
const hostileTable = `o"r'd\`e]r;s --x/* é🙂 select`;
const hostileColumns = ["select", `a"b`, "c'd", "e.f", "g`h]", "-- i", "日本語 🙂"] as const;
export const hostileTexts = [
  `'; DROP TABLE customers; --`,
  `\\'; DROP TABLE customers; --`,
  `"quoted"`,
  "back\\slash\\",
  "line\nbreak\r\n\ttab",
  "$$dollar$$ $" + "{name} :name ? @a %s",
  "日本語 🙂 e\u0301",
  " trailing ",
] as const;

/** Returns the names that try to break out of every quote, without characters that the engine does not allow. */
export function hostileNames({ hasBasicNames = false }: Pick<ConnectorHarness, "hasBasicNames">) {
  const nameOf = (name: string) => (hasBasicNames ? name.replaceAll(/[\u{10000}-\u{10ffff}]/gu, "€") : name);
  return { table: nameOf(hostileTable), columns: hostileColumns.map(nameOf) };
}

/** The number of rows in the table `numbers`. */
export const numbers = 1_000;

export function exactValues<Schema extends z.ZodObject>(bench: ConnectorBench<Schema>): readonly ExactValue[] {
  return Object.values(bench.harness.values).filter((value) => typeof value !== "string");
}

/** Returns the statements that create the standard tables, one at a time. */
export function standardStatements<Schema extends z.ZodObject>(bench: ConnectorBench<Schema>): readonly string[] {
  const { types, comments, skip = {} } = bench.harness;
  const customers = bench.quoted("customers");
  const reference = (table: string) =>
    bench.harness.referencesWithSchema === false ? bench.column(table) : bench.quoted(table);
  return [
    `CREATE TABLE ${customers} (id ${types.integer} NOT NULL, name ${types.text} NOT NULL, email ${types.text}, PRIMARY KEY (id), UNIQUE (email))`,
    `CREATE TABLE ${bench.quoted("regions")} (country ${types.text} NOT NULL, code ${types.text} NOT NULL, title ${types.text}, PRIMARY KEY (country, code))`,
    `CREATE TABLE ${bench.quoted("orders")} (id ${types.integer} NOT NULL, customer_id ${types.integer}, country ${types.text}, region ${types.text}, amount ${types.decimal}, placed ${types.date}, PRIMARY KEY (id), FOREIGN KEY (customer_id) REFERENCES ${reference("customers")} (id), FOREIGN KEY (country, region) REFERENCES ${reference("regions")} (country, code))`,
    `CREATE VIEW ${bench.quoted("order_names")} AS SELECT o.id, c.name FROM ${bench.quoted("orders")} o JOIN ${customers} c ON c.id = o.customer_id`,
    `CREATE TABLE ${bench.quoted("numbers")} (n ${types.integer} NOT NULL, label ${types.text})`,
    `INSERT INTO ${customers} VALUES (1, 'Ada', 'ada@example.org'), (2, 'Grace', NULL)`,
    `INSERT INTO ${bench.quoted("regions")} VALUES ('DE', 'BY', 'Bavaria')`,
    `INSERT INTO ${bench.quoted("orders")} VALUES (10, 1, 'DE', 'BY', 12.50, '2024-01-31'), (11, 1, NULL, NULL, 0.10, NULL)`,
    ...numberInserts(bench.quoted("numbers")),
    ...exactStatements(bench),
    ...("lists and reads tables and columns with hostile names" in skip ? [] : hostileStatements(bench)),
    ...("reads comments of tables and columns" in skip ? [] : (comments?.(customers) ?? [])),
  ];
}

function numberInserts(table: string): readonly string[] {
  const rows = Array.from({ length: numbers }, (_, index) => `(${index + 1}, 'label ${index + 1}')`);
  return [0, 250, 500, 750].map((start) => `INSERT INTO ${table} VALUES ${rows.slice(start, start + 250).join(", ")}`);
}

function exactStatements<Schema extends z.ZodObject>(bench: ConnectorBench<Schema>): readonly string[] {
  const values = exactValues(bench);
  const columns = values.map(({ nativeType }, index) => `c${index} ${nativeType}`);
  return [
    `CREATE TABLE ${bench.quoted("exact")} (${columns.join(", ")})`,
    `INSERT INTO ${bench.quoted("exact")} VALUES (${values.map(({ sql }) => sql).join(", ")})`,
  ];
}

function hostileStatements<Schema extends z.ZodObject>(bench: ConnectorBench<Schema>): readonly string[] {
  const { integer } = bench.harness.types;
  const names = hostileNames(bench.harness);
  const table = bench.quoted(names.table);
  return [
    `CREATE TABLE ${table} (${names.columns.map((name) => `${bench.column(name)} ${integer}`).join(", ")})`,
    `INSERT INTO ${table} VALUES (${names.columns.map((_, index) => index).join(", ")})`,
  ];
}
