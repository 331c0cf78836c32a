import { onTestFinished } from "vitest";
import { snowflakePlace } from "../../../warehouse/tests/snowflake/open-snowflake.ts";
import { type SnowflakeAnswer, SnowflakeServer } from "../../../warehouse/tests/snowflake/snowflake-server.ts";
import { testBadInput } from "./bad-input.ts";
import { silent, startSilentServer } from "./silent-server.ts";

const names: SnowflakeAnswer = { columns: [["CITY", "text"]], partitions: [[["Ulm"], ["Ulm"], ["Bonn"]]] };
let latest: SnowflakeServer;

/** Starts a loopback server with the tables `ORDERS` and `NOTES`. */
async function serve(notes: SnowflakeAnswer = names): Promise<Record<string, unknown>> {
  const server = await SnowflakeServer.start((sql) => answer(sql, notes));
  onTestFinished(() => server.close());
  latest = server;
  return {
    type: "snowflake",
    account: "myorg-analytics",
    database: "shop",
    token: "right",
    endpoint: server.endpoint,
  };
}

function answer(sql: string, notes: SnowflakeAnswer): SnowflakeAnswer {
  if (sql.includes("CURRENT_VERSION()")) return snowflakePlace();
  if (sql.includes(".TABLES"))
    return rowsOf((table) => ({ TABLE_SCHEMA: "SALES", TABLE_NAME: table, TABLE_TYPE: "BASE TABLE", ROW_COUNT: "3" }));
  if (sql.includes(".COLUMNS"))
    return rowsOf((table) => ({ TABLE_SCHEMA: "SALES", TABLE_NAME: table, COLUMN_NAME: "CITY", DATA_TYPE: "TEXT" }));
  if (sql.includes('"NOTES"')) return notes;
  return sql.includes('"ORDERS"') ? names : {};
}

function rowsOf(describe: (table: string) => Readonly<Record<string, string>>): SnowflakeAnswer {
  const rows = ["NOTES", "ORDERS"].map(describe);
  const columns = Object.keys(rows[0] ?? {}).map((name) => [name, "text"] as const);
  return { columns, partitions: [rows.map((row) => Object.values(row))] };
}

testBadInput("snowflake", {
  "a wrong password": {
    config: async () => ({ ...(await serve()), token: "wrong" }),
    code: "authentication",
    message: /refuses the login of token \(Invalid access token\)\. Check/,
  },
  "a host that accepts and never answers": {
    config: async () => ({ ...(await serve()), endpoint: `http://127.0.0.1:${await startSilentServer()}` }),
    ...silent,
  },
  "an unreachable host": {
    config: async () => ({ ...(await serve()), endpoint: "http://127.0.0.1:1" }),
    code: "network",
    message: /127\.0\.0\.1:1 cannot be reached/,
  },
  "a refused TLS connection": {
    config: async () => ({ ...(await serve()), endpoint: latest.endpoint.replace("http:", "https:") }),
    code: "config",
    message: /The TLS connection to Snowflake .* failed/,
  },
  "a missing schema": {
    config: async () => ({ ...(await serve()), include: ["SALES", "SALSE"] }),
    tables: ["NOTES", "ORDERS"],
    problem: /^There is no table that can be read in the schema SALSE\./,
  },
  "a table without permission": {
    config: () => serve({ error: ["003001", "SQL access control error: Insufficient privileges to operate on NOTES"] }),
    tables: ["ORDERS"],
    problem: /Insufficient privileges to operate on NOTES\.$/,
  },
  "a view that fails": {
    config: () => serve({ error: ["002037", "SQL compilation error: Failure during expansion of view NOTES"] }),
    tables: ["ORDERS"],
    problem: /Failure during expansion of view NOTES\.$/,
  },
  "a locked database": "Readers of Snowflake wait for no lock.",
  "a connection that is lost in mid-scan": {
    config: () => serve(),
    tables: ["NOTES", "ORDERS"],
    async cut() {
      let requests = 0;
      latest.before = (_, response) => {
        requests += 1;
        if (requests === 1) response.destroy();
        return requests === 1;
      };
    },
  },
  "a server that is too old": "Snowflake has one version.",
});
