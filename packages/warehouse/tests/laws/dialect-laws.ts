import { StatementRefusedError } from "@bridle/sql";
import { expect } from "vitest";
import type { z } from "zod";
import type { ConnectorBench } from "./bench.ts";
import type { Law } from "./law.ts";
import { hostileTexts, numbers } from "./standard-tables.ts";

export function dialectLaws<Schema extends z.ZodObject>(bench: ConnectorBench<Schema>): readonly Law[] {
  return [
    { title: "writes hostile texts as literals", hold: () => quotesTexts(bench) },
    { title: "writes hostile names as identifiers", hold: () => quotesNames(bench) },
    { title: "makes digests that are equal for equal values and reveal none", hold: () => digests(bench) },
    { title: "accepts conditions of row filters that name columns", hold: () => acceptsConditions(bench) },
    { title: "refuses conditions of row filters that read or close something", hold: () => refusesConditions(bench) },
    { title: "samples the same rows for the same seed, and others for another", hold: () => samples(bench) },
    { title: "reads all rows if no sample is asked for", hold: () => readsAll(bench) },
    { title: "applies the conditions of a fenced SELECT first", hold: () => fences(bench) },
  ];
}

type Check = <Schema extends z.ZodObject>(bench: ConnectorBench<Schema>) => Promise<void>;

const quotesTexts: Check = async (bench) => {
  const { dialect } = bench.harness.connector;
  const { rows } = await bench.read(`SELECT ${hostileTexts.map((text) => dialect.quoteText(text)).join(", ")}`);
  expect(rows).toEqual([hostileTexts]);
};

const quotesNames: Check = async (bench) => {
  const names = [`x" y`, "x'y", "x;--"];
  const { columns } = await bench.read(`SELECT ${names.map((name) => `1 AS ${bench.column(name)}`).join(", ")}`);
  expect(columns.map(({ name }) => name)).toEqual(names);
};

const digests: Check = async (bench) => {
  const { dialect } = bench.harness.connector;
  const [column, table] = [bench.column("name"), bench.quoted("customers")];
  const digest = (key: string) => dialect.digest(column, key);
  const email = dialect.digest(bench.column("email"), "key a");
  const select = `SELECT ${digest("key a")}, ${digest("key a")}, ${digest("key 'b")}, ${email} FROM ${table} ORDER BY id`;
  const [ada = [], grace = []] = (await bench.read(select)).rows;
  expect(ada[0]).toBe(ada[1]);
  expect(new Set([ada[0], ada[2], grace[0], grace[2], ada[3]]).size).toBe(5);
  expect(grace[3]).toBeNull();
  expect(String(ada[0])).toMatch(/^\S{16,}$/);
  expect(String(ada[0]).toLowerCase()).not.toContain("ada");
};

const acceptsConditions: Check = async (bench) => {
  const { dialect } = bench.harness.connector;
  const columns = ["region", "amount", "placed"];
  const accepted = [
    "region = 'EU'",
    "region IN ('EU', 'it''s -- no comment; still none') AND amount > 0",
    "NOT (amount BETWEEN 1 AND 2) OR placed IS NULL",
    "lower(region) LIKE 'e%'",
    "coalesce(region, 'x') <> 'y'",
    `${bench.column("region")} = 'EU'`,
  ];
  for (const condition of accepted) await dialect.checkCondition(condition, columns);
};

const refusesConditions: Check = async (bench) => {
  const { dialect } = bench.harness.connector;
  const refused = [
    "",
    "region = 'EU') OR (1 = 1",
    "region = 'EU' --",
    "region = 'EU' /*",
    "region = 'EU'; DROP TABLE customers",
    "region IN (SELECT name FROM customers)",
    "EXISTS (SELECT 1)",
    "EXISTS (VALUES (1))",
    "customers.name = 'x'",
    "secret = 1",
    "region = 'EU' UNION SELECT 1",
    "region = 'EU",
    "no_such_function(region) = 1",
    "region = 'EU' LIMIT 1",
    "region = 'EU' GROUP BY region",
    "(region = 'EU'",
  ];
  for (const condition of refused) {
    const checked = dialect.checkCondition(condition, ["region", "amount"]);
    await expect(checked, condition).rejects.toBeInstanceOf(StatementRefusedError);
  }
};

const samples: Check = async (bench) => {
  const sample = async (seed: number) => {
    const name = bench.name("numbers");
    const chosen = bench.harness.connector.dialect.selectSample(name, ["n"], { rows: 200, of: numbers, seed });
    const { rows } = await bench.read(chosen.sql);
    return { method: chosen.method, rows: rows.map(([n]) => String(n)).sort() };
  };
  const [first, again, other] = [await sample(1), await sample(1), await sample(2)];
  expect(again).toEqual(first);
  expect(other.rows).not.toEqual(first.rows);
  expect(first.rows.length).toBeGreaterThan(0);
  expect(first.rows.length).toBeLessThan(numbers);
  expect(first.method).not.toBe("all rows");
};

const readsAll: Check = async (bench) => {
  const { sql, method } = bench.harness.connector.dialect.selectSample(bench.name("numbers"), ["label", "n"]);
  const { columns, rows } = await bench.read(sql);
  expect(columns.map(({ name }) => name)).toEqual(["label", "n"]);
  expect(rows).toHaveLength(numbers);
  expect(method).toBe("all rows");
};

/** Checks that the SELECT's own condition comes first: the condition around it would fail for the rows that the SELECT leaves out. */
const fences: Check = async (bench) => {
  const { fence = "" } = bench.harness.connector.dialect;
  const inner = `(SELECT n FROM ${bench.quoted("numbers")} WHERE n > 990 ${fence})`;
  const { rows } = await bench.read(`SELECT n FROM ${inner} t WHERE 100 / (n - 5) < 1 ORDER BY n`);
  expect(rows).toHaveLength(10);
};
