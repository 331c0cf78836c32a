import { importOptional } from "@bridle/core";
import { ConfigError } from "@bridle/protocol";
import type { Connection, ConnectionConfiguration } from "tedious";
import { defaultConnectMs } from "../../../sessions/silent-server.ts";
import { describeSqlServer, type SqlServerConfig } from "../sqlserver-settings.ts";
import { sqlserverConnectFailure } from "./failures.ts";

type Tedious = typeof import("tedious");

/** Opens connections to one database. */
export class SqlServerDriver {
  readonly tedious: Tedious;
  readonly #config: SqlServerConfig;
  readonly #connectMs: number;

  private constructor(tedious: Tedious, config: SqlServerConfig, connectMs: number) {
    this.tedious = tedious;
    this.#connectMs = connectMs;
    this.#config = config;
  }

  static async load(config: SqlServerConfig, connectMs = defaultConnectMs): Promise<SqlServerDriver> {
    const tedious = await importOptional(
      ["tedious"],
      () => import("tedious"),
      (problem, cause) => new ConfigError(`A connection of type sqlserver ${problem}`, { cause }),
    );
    return new SqlServerDriver(tedious, config, connectMs);
  }

  async open(): Promise<Connection> {
    const connection = new this.tedious.Connection(driverOptions(this.#config, this.#connectMs));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // The running request gets later errors. Without a listener, these errors would end the process.
    connection.on("error", reject);
    connection.connect((error) => (error ? reject(error) : resolve()));
    try {
      await promise;
    } catch (error) {
      connection.close();
      throw sqlserverConnectFailure(error, describeSqlServer(this.#config), this.#config.user);
    }
    return connection;
  }
}

function driverOptions(
  { host, port = 1433, user, password, database, tls = "verified" }: SqlServerConfig,
  connectMs: number,
): ConnectionConfiguration {
  return {
    server: host,
    authentication: { type: "default", options: { userName: user, password } },
    options: {
      port,
      database,
      appName: "bridle",
      // Lets the server use a replica, if it has one.
      readOnlyIntent: true,
      encrypt: tls !== "off",
      trustServerCertificate: tls !== "verified",
      useUTC: true,
      connectTimeout: connectMs,
      cancelTimeout: 5_000,
      maxRetriesOnTransientErrors: 0,
    },
  };
}
