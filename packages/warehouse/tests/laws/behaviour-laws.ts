import { InvalidRequestError, isBridleError } from "@bridle/protocol";
import { expect } from "vitest";
import type { z } from "zod";
import type { ConnectorBench } from "./bench.ts";
import type { Law } from "./law.ts";
import { numbers } from "./standard-tables.ts";

export function behaviourLaws<Schema extends z.ZodObject>(bench: ConnectorBench<Schema>): readonly Law[] {
  return [
    { title: "describes the columns of an empty result", hold: () => describesEmpty(bench) },
    { title: "keeps two columns of one name", hold: () => keepsEqualNames(bench) },
    { title: "runs statements at the same time", hold: () => runsTogether(bench) },
    { title: "refuses to write on the level of the session", hold: () => refusesWrites(bench) },
    { title: "says in one sentence what is wrong with a statement", hold: () => explainsStatements(bench) },
    { title: "counts its statements", hold: () => countsStatements(bench) },
    { title: "says which layers of protection hold", hold: () => inspects(bench) },
    { title: "describes its place without credentials", hold: () => describesPlace(bench) },
    { title: "names its product and version", hold: () => namesServer(bench) },
    { title: "reads nothing after it was closed", hold: () => closes(bench) },
    ...bench.harness.broken.map(({ why, config, code, message }) => ({
      title: `explains ${why} in one sentence`,
      hold: async () => {
        const settings: z.output<Schema> = await config();
        const error = await bench.connect(settings).catch((reason: unknown) => reason);
        expect(isBridleError(error) ? error.code : error).toBe(code);
        expectSentence(error);
        expect(String(error)).toMatch(message);
      },
    })),
  ];
}

type Check = <Schema extends z.ZodObject>(bench: ConnectorBench<Schema>) => Promise<void>;

const describesEmpty: Check = async (bench) => {
  const { columns, rows } = await bench.read(`SELECT n, label FROM ${bench.quoted("numbers")} WHERE n < 0`);
  expect(rows).toEqual([]);
  expect(columns.map(({ name, type }) => [name, type])).toEqual([
    ["n", "integer"],
    ["label", "text"],
  ]);
};

const keepsEqualNames: Check = async (bench) => {
  const { columns, rows } = await bench.read(`SELECT n AS x, n + 1 AS x FROM ${bench.quoted("numbers")} WHERE n = 1`);
  expect(columns.map(({ name }) => name)).toEqual(["x", "x"]);
  expect(rows).toEqual([[1n, 2n]]);
};

const runsTogether: Check = async (bench) => {
  const reads = Array.from({ length: 12 }, (_, index) =>
    bench.read(`SELECT n FROM ${bench.quoted("numbers")} WHERE n = ${index + 1}`),
  );
  const structure = bench.connection.readStructure([bench.fixture.schema]);
  expect((await Promise.all(reads)).map(({ rows }) => rows)).toEqual(reads.map((_, index) => [[BigInt(index + 1)]]));
  expect((await structure).tables.length).toBeGreaterThan(5);
};

const refusesWrites: Check = async (bench) => {
  const table = bench.quoted("numbers");
  for (const sql of [`DELETE FROM ${table}`, `UPDATE ${table} SET n = 0`, `DROP TABLE ${table}`]) {
    const error = await bench.read(sql).catch((reason: unknown) => reason);
    expectSentence(error);
  }
  expect((await bench.read(`SELECT count(*) FROM ${table}`)).rows).toEqual([[BigInt(numbers)]]);
};

const explainsStatements: Check = async (bench) => {
  for (const sql of [
    "SELEC 1",
    "SELECT * FROM no_such_table",
    `SELECT no_such_column FROM ${bench.quoted("numbers")}`,
  ]) {
    const error = await bench.read(sql).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InvalidRequestError);
    expectSentence(error);
  }
};

/** Expects an error message of one line that ends like a sentence and contains no part of a stack trace. */
function expectSentence(error: unknown): void {
  if (!isBridleError(error)) throw new Error(`Expected an error of Bridle, got ${String(error)}`);
  expect(error.message).toMatch(/^\S[^\n]*[.?!]$/);
  expect(error.message).not.toMatch(/\n|\bat .*\.[jt]s:\d/);
}

const countsStatements: Check = async (bench) => {
  const before = bench.connection.statements;
  await bench.read("SELECT 1");
  await bench.read("SELECT 2");
  expect(bench.connection.statements - before).toBe(2);
};

const inspects: Check = async (bench) => {
  const findings = await bench.connection.inspectSafety();
  expect(findings.find(({ layer }) => layer === "session")?.ok).toBe(true);
  expect(findings.map(({ layer }) => layer)).toContain("account");
  for (const { message } of findings) expect(message).toMatch(/^\S[^\n]*\.$/);
};

const describesPlace: Check = async (bench) => {
  const { connector } = bench.harness;
  const place = connector.describe(bench.fixture.config);
  expect(place).toMatch(/^\S+$/);
  for (const key of connector.secrets.keys ?? []) {
    const secret: unknown = bench.fixture.config[key];
    if (typeof secret === "string" && !place.includes("@")) continue;
    expect(place).not.toContain("@");
  }
};

const namesServer: Check = async (bench) => {
  expect(bench.connection.server.product).toMatch(/^[A-Z]/);
  expect(bench.connection.server.version).toMatch(/\d/);
};

const closes: Check = async (bench) => {
  const connection = await bench.connect();
  await connection.close();
  await connection.close();
  const error = await bench.read("SELECT 1", {}, connection).catch((reason: unknown) => reason);
  expectSentence(error);
};
