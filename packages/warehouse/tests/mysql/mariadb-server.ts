import { type ChildProcess, execFileSync, type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import mysql, { type Connection } from "mysql2";
import { createData } from "../../../stores/postgres/tests/data-template.ts";

const programs = ["/usr/sbin/mariadbd", "/usr/bin/mariadb-install-db"];
const isInstalled = programs.every((program) => existsSync(program));

/** Whether to skip tests that need MariaDB: on a machine without it, unless `CI` is set. */
export const skipsMariaDb: boolean =
  !isInstalled && ["", "0", "false", undefined].includes(process.env.CI?.toLowerCase());

/** Runs the server as the user `mysql`, because it refuses to run as root. */
const user = process.getuid?.() === 0 && isInstalled ? idsOf("mysql") : undefined;

function idsOf(name: string): { uid: number; gid: number } {
  const [uid = 0, gid = 0] = ["-u", "-g"].map((flag) => Number(execFileSync("id", [flag, name], { encoding: "utf8" })));
  return { uid, gid };
}

/** Options that save resources, because a machine limits the asynchronous I/O requests of all its servers together. */
const frugal = ["--innodb-buffer-pool-size=32M", "--innodb-use-native-aio=0"];

/** A test file's MariaDB server, in a temporary folder. */
export class MariaDbServer {
  readonly folder: string;
  readonly port: number;
  readonly #options: readonly string[];
  #server: ChildProcess | undefined;

  private constructor(folder: string, port: number, options: readonly string[]) {
    this.folder = folder;
    this.port = port;
    this.#options = options;
  }

  /** Creates a server with empty data, and starts it. With `tcp`, the server also listens on a local port. */
  static async create({ tcp = false, options = [] }: { tcp?: boolean; options?: readonly string[] } = {}) {
    if (!isInstalled)
      throw new Error(
        "MariaDB is not installed, and CI is set, so its tests are not skipped. Install Debian's package mariadb-server.",
      );
    const folder = mkdtempSync(join(tmpdir(), "bridle-mariadb-"));
    const server = new MariaDbServer(folder, tcp ? await findFreePort() : 0, options);
    try {
      if (user !== undefined) chownSync(folder, user.uid, user.gid);
      const install = [...server.#common, "--auth-root-authentication-method=normal", "--skip-test-db"];
      const stdio: StdioOptions = ["ignore", "ignore", "pipe"];
      createData(join(folder, "data"), "mariadb", () => {
        execFileSync("/usr/bin/mariadb-install-db", install, { ...user, cwd: folder, stdio });
      });
      await server.start();
      return server;
    } catch (error) {
      await server.remove();
      throw error;
    }
  }

  /** Options of every start, with a separate folder for temporary files, because servers that start at the same time use the same names. */
  get #common(): readonly string[] {
    return ["--no-defaults", `--datadir=${join(this.folder, "data")}`, `--tmpdir=${this.folder}`, ...frugal];
  }

  get socket(): string {
    return join(this.folder, "s");
  }

  async start(): Promise<void> {
    const settings = [
      ...this.#common,
      `--socket=${this.socket}`,
      ...(this.port === 0 ? ["--skip-networking"] : [`--port=${this.port}`, "--bind-address=127.0.0.1"]),
      "--innodb-flush-log-at-trx-commit=0",
      "--skip-log-bin",
      `--secure-file-priv=${this.folder}`,
      ...this.#options,
    ];
    this.#server = spawn("/usr/sbin/mariadbd", settings, { ...user, cwd: this.folder, stdio: "ignore" });
    while (!(await this.#isReady())) await sleep(30);
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined || server.exitCode !== null) return;
    const ended = once(server, "close");
    server.kill("SIGTERM");
    await ended;
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Sends statements as root, bypassing the connector. Returns the rows of the last one. */
  async send(...statements: readonly string[]): Promise<readonly Record<string, unknown>[]> {
    const connection = mysql.createConnection({ socketPath: this.socket, user: "root", charset: "utf8mb4" });
    connection.on("error", () => {});
    try {
      let rows: readonly Record<string, unknown>[] = [];
      for (const sql of statements) rows = await sendOne(connection, sql);
      return rows;
    } finally {
      connection.destroy();
    }
  }

  async #isReady(): Promise<boolean> {
    try {
      await this.send("SELECT 1");
      return true;
    } catch {
      if (this.#server?.exitCode != null) throw new Error("The test's MariaDB does not start.");
      return false;
    }
  }
}

function sendOne(connection: Connection, sql: string): Promise<readonly Record<string, unknown>[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly Record<string, unknown>[]>();
  connection.query<never[]>({ sql, supportBigNumbers: true, dateStrings: true }, (error, rows) => {
    if (error) reject(error);
    else resolve(Array.isArray(rows) ? rows : []);
  });
  return promise;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (address === null || typeof address === "string") throw new Error("There is no free port.");
  return address.port;
}
