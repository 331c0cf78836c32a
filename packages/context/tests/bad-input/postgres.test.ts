import type pg from "pg";
import { afterAll, beforeAll, describe } from "vitest";
import { PostgresCluster, skipsPostgres } from "../../../stores/postgres/tests/postgres-cluster.ts";
import { openPlain } from "../../../warehouse/tests/postgres/open-warehouse.ts";
import { RewritingProxy } from "../../../warehouse/tests/postgres/rewriting-proxy.ts";
import { testBadInput } from "./bad-input.ts";
import { silent, startSilentServer } from "./silent-server.ts";

let cluster: PostgresCluster;
let plain: pg.Client;
let proxy: RewritingProxy;

const config = (others: object = {}) => ({ type: "postgres", url: cluster.url, sslmode: "disable", ...others });

describe.skipIf(skipsPostgres)("bad input with PostgreSQL (needs Debian's package postgresql)", () => {
  beforeAll(async () => {
    cluster = await PostgresCluster.create();
    plain = await openPlain(cluster);
    const { rows } = await plain.query("SHOW hba_file");
    const rules = "SELECT 'host all ada all scram-sha-256' UNION ALL SELECT 'host all all all trust'";
    await plain.query(`COPY (${rules}) TO '${rows[0].hba_file}'`);
    await plain.query("SELECT pg_reload_conf()");
    for (const schema of ["shop", "other"]) {
      await plain.query(`CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.orders (id int, city text);
        INSERT INTO ${schema}.orders VALUES (1, 'Ulm'), (2, 'Ulm'); CREATE TABLE ${schema}.notes (note text)`);
    }
    await plain.query(`CREATE ROLE ada LOGIN PASSWORD 'right'; CREATE ROLE partly LOGIN; GRANT USAGE ON SCHEMA shop TO partly;
      GRANT SELECT ON shop.orders TO partly; CREATE VIEW other.broken AS SELECT 1 / (id - id) AS n FROM other.orders`);
    proxy = await RewritingProxy.create(cluster.url, /\b1[2-9]\d{4}/, "110022");
  });
  afterAll(async () => {
    proxy?.close();
    await plain?.end();
    await cluster?.remove();
  });

  testBadInput("postgres", {
    "a wrong password": {
      config: () => config({ user: "ada", password: "wrong" }),
      code: "authentication",
      message: /does not accept the password\. Correct/,
    },
    "a host that accepts and never answers": {
      config: async () => config({ url: `postgresql://bridle@127.0.0.1:${await startSilentServer()}/postgres` }),
      ...silent,
    },
    "an unreachable host": {
      config: () => config({ url: "postgresql://bridle@127.0.0.1:1/postgres" }),
      code: "network",
      message: /127\.0\.0\.1:1\/postgres cannot be reached/,
    },
    "a refused TLS connection": {
      config: () => config({ sslmode: "require" }),
      code: "config",
      message: /does not offer TLS\. Turn it on/,
    },
    "a missing schema": {
      config: () => config({ include: ["shop", "shpo"] }),
      tables: ["notes", "orders"],
      problem: /^There is no table that can be read in the schema shpo\./,
    },
    "a table without permission": {
      config: () => config({ user: "partly", include: ["shop"] }),
      tables: ["orders"],
      problem: /^The account may not read it\. Grant it SELECT on the table notes/,
    },
    "a view that fails": {
      config: () => config({ include: ["other"] }),
      tables: ["notes", "orders"],
      problem: /^Division by zero\.$/,
    },
    "a locked database": {
      async config() {
        await plain.query("BEGIN; LOCK TABLE shop.notes IN ACCESS EXCLUSIVE MODE");
        return config({ include: ["shop"] });
      },
      tables: ["orders"],
      problem: /waited too long for a lock|took longer/,
      timeoutMs: 3_000,
    },
    "a connection that is lost in mid-scan": {
      async config() {
        await plain.query("ROLLBACK");
        return config({ include: ["shop"] });
      },
      tables: ["notes", "orders"],
      async cut() {
        const sql =
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'bridle warehouse'";
        if ((await plain.query(sql)).rows.length === 0) throw new Error("There was no connection to cut.");
      },
    },
    "a server that is too old": {
      config: () => config({ url: proxy.url }),
      code: "config",
      message: /is version .* Bridle needs PostgreSQL 12 or newer\./,
    },
  });
});
