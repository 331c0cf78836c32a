import { existsSync } from "node:fs";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PostgresCluster, skipsPostgres } from "../../../stores/postgres/tests/postgres-cluster.ts";
import { postgresDialect } from "../../src/connectors/postgres/dialect/postgres-dialect.ts";
import { StatementRefusedError } from "../../src/index.ts";
import type { EngineConnection } from "../../src/port/connector.ts";
import { connectTo, contextOf, openPlain, readAll } from "./open-warehouse.ts";
import { shop, stateQuery } from "./shop.ts";
import { readByTheSessionLayer, reads, refused } from "./statements.ts";

let cluster: PostgresCluster;
let connection: EngineConnection;
let plain: pg.Client;
let listener: pg.Client;
let safe: ReadonlySet<string> | undefined;
const heard: string[] = [];

/** Returns a string that differs if anything was changed. The statements run as the superuser that owns everything. */
async function readState(): Promise<string> {
  const [victim] = (await listener.query("SELECT pg_backend_pid() AS pid")).rows;
  const { rows } = await plain.query(stateQuery, [victim.pid]);
  return JSON.stringify([rows[0]?.state, heard, existsSync("/tmp/bridle-postgres-copied")]);
}

async function aimed(sql: string): Promise<string> {
  const [victim] = (await listener.query("SELECT pg_backend_pid() AS pid")).rows;
  return sql.replaceAll("VICTIM", String(victim.pid));
}

describe.skipIf(skipsPostgres)(
  "statements on PostgreSQL, run as a superuser (needs Debian's package postgresql)",
  () => {
    beforeAll(async () => {
      cluster = await PostgresCluster.create();
      plain = await openPlain(cluster);
      await plain.query(shop);
      listener = await openPlain(cluster);
      listener.on("notification", ({ channel }) => heard.push(channel));
      await listener.query("LISTEN a");
      await plain.query("ALTER ROLE bridle SET search_path = shop");
      connection = await connectTo(cluster);
      safe = await connection.readSafeFunctions?.();
      await plain.query("SET search_path = shop; SET TimeZone = 'UTC'");
    });
    afterAll(async () => {
      await connection?.close();
      for (const client of [plain, listener]) await client?.end();
      await cluster?.remove();
    });

    test("the table has at least 150 statements, each once", () => {
      expect(new Set([...reads, ...refused]).size).toBe(reads.length + refused.length);
      expect(reads.length + refused.length).toBeGreaterThan(150);
    });

    test.each(reads)("reads the same rows through all layers as without them: %s", async (sql) => {
      const checked = await postgresDialect.check(sql, contextOf(safe));
      const rows = await readAll(connection, checked);
      const expected = await plain.query({ text: sql, rowMode: "array", types: { getTypeParser: () => String } });
      expect(rows.map((row) => row.length)).toEqual(expected.rows.map((row) => row.length));
      const written = await plain.query({
        text: checked,
        rowMode: "array",
        types: { getTypeParser: () => String },
      });
      expect(written.rows).toEqual(expected.rows);
      expect(written.fields.map(({ name }) => name)).toEqual(expected.fields.map(({ name }) => name));
    });

    test.each(reads)("reads the same rows from tables that are replaced by a SELECT: %s", async (sql) => {
      if (/ONLY|TABLESAMPLE/.test(sql)) return;
      const replaced = await postgresDialect.check(sql, {
        ...contextOf(safe),
        resolve: (name) => {
          const table = contextOf(safe).resolve(name);
          return { ...table, relation: `(SELECT * FROM ${postgresDialect.quoteTable(table)} OFFSET 0)` };
        },
      });
      const rows = await readAll(connection, replaced);
      expect(rows).toEqual(await readAll(connection, sql));
    });

    test.each(refused)("the parser refuses: %s", async (sql) => {
      const checking = postgresDialect.check(await aimed(sql), contextOf(safe));
      if (sql === "SELECT") expect(await checking).toBe("SELECT");
      else await expect(checking).rejects.toThrow(StatementRefusedError);
    });

    test.each(refused)("without the parser, the session changes nothing: %s", async (sql) => {
      const before = await readState();
      const text = await aimed(sql);
      const outcome = await readAll(connection, text, { timeoutMs: 3000 }).then(
        () => "read",
        () => "refused",
      );
      expect(await readState()).toBe(before);
      if (!readByTheSessionLayer.has(sql)) expect(outcome).toBe("refused");
    });
  },
);
