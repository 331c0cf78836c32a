import { onTestFinished } from "vitest";
import { type ScriptedAnswer, ScriptedServer } from "../../../warehouse/tests/sqlserver/scripted-server.ts";
import { flag, integer, text } from "../../../warehouse/tests/sqlserver/tds-tokens.ts";
import { testBadInput } from "./bad-input.ts";
import { silent, startSilentServer } from "./silent-server.ts";

/** The server's reaction to a statement on the table `notes`. */
interface Script {
  readonly notes?: ScriptedAnswer;
  readonly isReadable?: boolean;
  readonly version?: string;
  readonly loginError?: readonly [number, string];
}

const names = { columns: [text("city")], rows: [["Ulm"], ["Ulm"], ["Bonn"]] };

/** Starts a loopback server with the tables `orders` and `notes`. */
async function serve(script: Script = {}): Promise<Record<string, unknown>> {
  const server = await ScriptedServer.start((sql) => answer(sql, script));
  server.loginError = script.loginError;
  onTestFinished(() => server.close());
  const account = { user: "reader", password: "right", database: "shop" };
  return { type: "sqlserver", host: "127.0.0.1", port: server.port, tls: "off", ...account };
}

function answer(sql: string, { notes = names, isReadable = true, version = "16.0.1000.6" }: Script): ScriptedAnswer {
  if (sql.includes("ProductVersion"))
    return { columns: [text("v"), text("s"), text("d"), integer("i")], rows: [[version, "dbo", "shop", 1]] };
  if (sql.includes("HAS_PERMS_BY_NAME")) {
    const columns = [text("s"), text("o"), text("t"), text("c"), integer("n"), integer("p")];
    const row = (table: string, readable: boolean) => ["dbo", table, "U ", null, 3, readable ? 1 : 0];
    return { columns, rows: [row("notes", isReadable), row("orders", true)] };
  }
  if (sql.includes("TYPE_NAME")) {
    const columns = [...["s", "o", "c", "t", "u"].map(text), ...["l", "p", "x"].map(integer), flag("n"), text("d")];
    return {
      columns,
      rows: ["notes", "orders"].map((table) => ["dbo", table, "city", "nvarchar", "nvarchar", 40, 0, 0, true, null]),
    };
  }
  if (sql.includes("[dbo].[notes]")) return notes;
  return sql.includes("[dbo].[orders]") ? names : {};
}

let isCut = false;

testBadInput("sqlserver", {
  "a wrong password": {
    config: () => serve({ loginError: [18456, "Login failed for user 'reader'."] }),
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
    message: /127\.0\.0\.1:1\/shop cannot be reached/,
  },
  "a refused TLS connection": {
    config: async () => ({ ...(await serve()), tls: "verified" }),
    code: "config",
    message: /The TLS connection to SQL Server .* failed/,
  },
  "a missing schema": {
    config: async () => ({ ...(await serve()), include: ["dbo", "sales"] }),
    tables: ["notes", "orders"],
    problem: /^There is no table that can be read in the schema sales\./,
  },
  "a table without permission": {
    config: () => serve({ isReadable: false }),
    tables: ["orders"],
    problem: /^The account may not read it\. Grant it SELECT\.$/,
  },
  "a view that fails": {
    config: () => serve({ notes: { error: [208, "Invalid object name 'gone'."] } }),
    tables: ["orders"],
    problem: /^Invalid object name 'gone'\.$/,
  },
  "a locked database": {
    config: () => serve({ notes: { error: [1222, "Lock request time out period exceeded."] } }),
    tables: ["orders"],
    problem: /waited too long for a lock of another one\. Try again\.$/,
  },
  "a connection that is lost in mid-scan": {
    config() {
      isCut = false;
      return serve({
        get notes(): ScriptedAnswer {
          const isFirst = !isCut;
          isCut = true;
          return isFirst ? { ...names, until: "cut" } : names;
        },
      });
    },
    tables: ["notes", "orders"],
  },
  "a server that is too old": {
    config: () => serve({ version: "12.0.6024.0" }),
    code: "config",
    message: /^SQL Server 12\.0\.6024\.0 is too old\. Use SQL Server 2016/,
  },
});
