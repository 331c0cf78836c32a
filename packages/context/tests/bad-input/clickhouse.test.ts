import { onTestFinished } from "vitest";
import { type ClickHouseAnswer, ClickHouseServer } from "../../../warehouse/tests/clickhouse/clickhouse-server.ts";
import { testBadInput } from "./bad-input.ts";
import { silent, startSilentServer } from "./silent-server.ts";

/** The server's reaction to a statement on the table `notes`. */
interface Script {
  readonly notes?: () => ClickHouseAnswer;
  readonly version?: string;
  readonly password?: string;
}

const names: ClickHouseAnswer = { columns: [["city", "String"]], rows: ['["Ulm"]', '["Ulm"]', '["Bonn"]'] };

/** Starts a loopback server with the tables `orders` and `notes`. */
async function serve({
  version = "25.8.1.1",
  password = "right",
  ...script
}: Script = {}): Promise<Record<string, unknown>> {
  const server = await ClickHouseServer.start((sql) => {
    if (sql.includes("version()")) return `${version}\tshop\t0\n`;
    return sql.startsWith("KILL") ? "" : answer(sql, script);
  });
  server.password = password;
  onTestFinished(() => server.close());
  return {
    type: "clickhouse",
    host: "127.0.0.1",
    port: server.port,
    tls: "off",
    user: "reader",
    password: "right",
    database: "shop",
  };
}

function answer(sql: string, { notes = () => names }: Script): ClickHouseAnswer {
  const texts = (count: number) => Array.from({ length: count }, (_, index) => [`c${index}`, "String"] as const);
  if (sql.includes("system.parts")) return { columns: texts(3) };
  if (sql.includes("system.columns"))
    return { columns: texts(5), rows: ["notes", "orders"].map((table) => `["shop","${table}","city","String",""]`) };
  if (sql.includes("system.tables")) {
    const columns = [...texts(4), ["n", "Nullable(UInt64)"] as const, ...texts(3)];
    return { columns, rows: ["notes", "orders"].map((table) => `["shop","${table}","MergeTree","",3,"","",""]`) };
  }
  if (sql.includes("`notes`")) return notes();
  return sql.includes("`orders`") ? names : { columns: texts(3) };
}

let isCut = false;

testBadInput("clickhouse", {
  "a wrong password": {
    config: () => serve({ password: "other" }),
    code: "authentication",
    message: /refuses reader with this password\. Check/,
  },
  "a host that accepts and never answers": {
    config: async () => ({ ...(await serve()), port: await startSilentServer() }),
    ...silent,
  },
  "an unreachable host": {
    config: async () => ({ ...(await serve()), port: 1 }),
    code: "network",
    message: /127\.0\.0\.1:1/,
  },
  "a refused TLS connection": {
    config: async () => ({ ...(await serve()), tls: "verified" }),
    code: "config",
    message: /TLS/,
  },
  "a missing schema": {
    config: async () => ({ ...(await serve()), include: ["shop", "sales"] }),
    tables: ["notes", "orders"],
    problem: /^There is no table that can be read in the schema sales\./,
  },
  "a table without permission": {
    config: () => serve({ notes: () => ({ error: [497, "reader: Not enough privileges."] }) }),
    tables: ["orders"],
    problem: /Not enough privileges/,
  },
  "a view that fails": {
    config: () => serve({ notes: () => ({ error: [60, "Unknown table expression identifier 'gone'."] }) }),
    tables: ["orders"],
    problem: /^Unknown table expression identifier 'gone'\.$/,
  },
  "a locked database": "ClickHouse has no locks that a reader waits for.",
  "a connection that is lost in mid-scan": {
    config() {
      isCut = false;
      return serve({
        notes() {
          const isFirst = !isCut;
          isCut = true;
          return isFirst ? { ...names, until: "cut" } : names;
        },
      });
    },
    tables: ["notes", "orders"],
  },
  "a server that is too old": {
    config: () => serve({ version: "22.8.5.1" }),
    code: "config",
    message: /^ClickHouse 22\.8\.5\.1 is too old\. Use ClickHouse 23\.3 or newer\.$/,
  },
});
