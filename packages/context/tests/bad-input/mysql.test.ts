import mysql, { type Connection } from "mysql2";
import { afterAll, beforeAll, describe } from "vitest";
import { MariaDbServer, skipsMariaDb } from "../../../warehouse/tests/mysql/mariadb-server.ts";
import { listenAsMySql } from "../../../warehouse/tests/mysql/version-server.ts";
import { testBadInput } from "./bad-input.ts";
import { silent, startSilentServer } from "./silent-server.ts";

let server: MariaDbServer;
let old: { readonly port: number; close(): void };
let locking: Connection;

const config = (others: object = {}) => ({
  type: "mysql",
  host: "127.0.0.1",
  port: server.port,
  user: "ana",
  ...others,
});
const account = (user: string, include: readonly string[]) => config({ user, password: "right", include });

describe.skipIf(skipsMariaDb)("bad input with MariaDB (needs Debian's package mariadb-server)", () => {
  beforeAll(async () => {
    server = await MariaDbServer.create({ tcp: true });
    old = await listenAsMySql("5.6.51");
    for (const schema of ["shop", "other"]) {
      await server.send(
        `CREATE DATABASE ${schema}`,
        `CREATE TABLE ${schema}.orders (id INT, city VARCHAR(20))`,
        `INSERT INTO ${schema}.orders VALUES (1, 'Ulm'), (2, 'Ulm')`,
        `CREATE TABLE ${schema}.notes (note VARCHAR(20))`,
      );
    }
    await server.send(
      "CREATE TABLE other.gone (a INT)",
      "CREATE VIEW other.broken AS SELECT a FROM other.gone",
      "DROP TABLE other.gone",
      "CREATE USER ana IDENTIFIED BY 'right'",
      "GRANT SELECT ON shop.* TO ana",
      "GRANT SELECT ON other.* TO ana",
      "CREATE USER partly IDENTIFIED BY 'right'",
      "GRANT SELECT ON shop.orders TO partly",
      "GRANT INSERT ON shop.notes TO partly",
    );
    locking = mysql.createConnection({ socketPath: server.socket, user: "root" });
    locking.on("error", () => {});
  });
  afterAll(async () => {
    locking?.destroy();
    old?.close();
    await server?.remove();
  });

  testBadInput("mysql", {
    "a wrong password": {
      config: () => config({ password: "wrong" }),
      code: "authentication",
      message: /refuses ana with this password\. Check/,
    },
    "a host that accepts and never answers": {
      config: async () => config({ port: await startSilentServer() }),
      ...silent,
    },
    "an unreachable host": {
      config: () => config({ port: 1 }),
      code: "network",
      message: /127\.0\.0\.1:1 cannot be reached/,
    },
    "a refused TLS connection": {
      config: () => config({ password: "right", tls: "required" }),
      code: "config",
      message: /offers no TLS\. Set up/,
    },
    "a missing schema": {
      config: () => account("ana", ["shop", "shpo"]),
      tables: ["notes", "orders"],
      problem: /^There is no table that can be read in the schema shpo\./,
    },
    "a table without permission": {
      config: () => account("partly", ["shop"]),
      tables: ["orders"],
      problem: /^The account may not read it\. Grant it SELECT\.$/,
    },
    "a view that fails": {
      config: () => account("ana", ["other"]),
      tables: ["notes", "orders"],
      problem: /broken.*references invalid/,
    },
    "a locked database": {
      async config() {
        await locking.promise().query("LOCK TABLES shop.notes WRITE");
        return account("ana", ["shop"]);
      },
      tables: ["orders"],
      problem: /waited too long for a lock|took longer/,
      timeoutMs: 3_000,
    },
    "a connection that is lost in mid-scan": {
      async config() {
        await locking.promise().query("UNLOCK TABLES");
        return account("ana", ["shop"]);
      },
      tables: ["notes", "orders"],
      async cut() {
        const own = await server.send("SELECT ID FROM information_schema.PROCESSLIST WHERE USER = 'ana'");
        if (own.length === 0) throw new Error("There was no connection to cut.");
        for (const { ID } of own) await server.send(`KILL ${ID}`);
      },
    },
    "a server that is too old": {
      config: () => config({ port: old.port }),
      code: "config",
      message: /^MySQL 5\.6\.51 is too old: .* Use MySQL 5\.7 or newer\.$/,
    },
  });
});
