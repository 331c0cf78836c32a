import { resolve } from "node:path";
import { importOptional, readTextFile } from "@bridle/core";
import { ConfigError } from "@bridle/protocol";
import type { Connection, ConnectionOptions, SslOptions } from "mysql2";
import type { ConnectContext } from "../../../port/connector.ts";
import { defaultConnectMs } from "../../../sessions/silent-server.ts";
import { describeMySql, type MySqlConfig, tlsMode } from "../mysql-settings.ts";
import { connectFailure } from "./failures.ts";

/** Opens connections to one server. */
export class MySqlDriver {
  readonly place: string;
  readonly #create: (options: ConnectionOptions) => Connection;
  readonly #options: ConnectionOptions;
  readonly #user: string;

  private constructor(
    create: (options: ConnectionOptions) => Connection,
    options: ConnectionOptions,
    config: MySqlConfig,
  ) {
    this.#create = create;
    this.#options = options;
    this.#user = config.user;
    this.place = describeMySql(config);
  }

  static async load(config: MySqlConfig, context: ConnectContext): Promise<MySqlDriver> {
    const { default: mysql } = await importOptional(
      ["mysql2"],
      () => import("mysql2"),
      (problem, cause) => new ConfigError(`A connection of type mysql ${problem}`, { cause }),
    );
    return new MySqlDriver(mysql.createConnection.bind(mysql), await driverOptions(config, context), config);
  }

  async open(): Promise<Connection> {
    const connection = this.#create(this.#options);
    const { promise, resolve: succeed, reject } = Promise.withResolvers<void>();
    // The running command gets later errors. Without a listener, these errors would end the process.
    connection.on("error", reject);
    connection.connect((error) => (error ? reject(error) : succeed()));
    try {
      await promise;
    } catch (error) {
      connection.destroy();
      throw connectFailure(error, this.place, this.#user);
    }
    return connection;
  }
}

async function driverOptions(config: MySqlConfig, context: ConnectContext): Promise<ConnectionOptions> {
  const { host = "localhost", port = 3306, socket, user, password, database } = config;
  const ssl = await tlsOptions(config, context);
  return {
    ...(socket === undefined ? { host, port } : { socketPath: socket }),
    user,
    ...(password !== undefined && { password }),
    ...(database !== undefined && { database }),
    ...(ssl !== undefined && { ssl }),
    charset: "utf8mb4",
    connectTimeout: context.connectTimeoutMs ?? defaultConnectMs,
    multipleStatements: false,
    flags: ["-LOCAL_FILES"],
    rowsAsArray: true,
    // Keeps the driver from compiling column names into source code.
    disableEval: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    dateStrings: true,
    jsonStrings: true,
    typeCast: (field, next) => (field.type === "GEOMETRY" ? field.buffer() : next()),
  };
}

async function tlsOptions(config: MySqlConfig, { projectDir }: ConnectContext): Promise<SslOptions | undefined> {
  const mode = tlsMode(config);
  if (mode === "off") return undefined;
  if (mode === "required") return { rejectUnauthorized: false };
  if (config.ca === undefined) return { rejectUnauthorized: true, verifyIdentity: true };
  const file = resolve(projectDir, config.ca);
  const ca = await readTextFile(file).catch((cause: unknown) => {
    throw new ConfigError(`The file ${config.ca} of "ca" cannot be read. Correct its path.`, { cause });
  });
  return { ca, rejectUnauthorized: true, verifyIdentity: true };
}
