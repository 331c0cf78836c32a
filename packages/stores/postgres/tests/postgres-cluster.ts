import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { createData } from "./data-template.ts";

/** The folder with the programs of the newest installed PostgreSQL. */
const programs = globSync("/usr/lib/postgresql/*/bin")
  .filter((folder) => existsSync(join(folder, "initdb")))
  .sort((a, b) => Number(a.split("/").at(-2)) - Number(b.split("/").at(-2)))
  .at(-1);

/**
 * Whether to skip tests that need a database server: on a machine without that server, unless `CI` is set. With `CI`, the tests fail with
 * an explanation, so that they are not skipped unnoticed.
 */
export function skipsWithout(found: string | undefined, { CI }: Readonly<Record<string, string | undefined>>): boolean {
  return found === undefined && ["", "0", "false", undefined].includes(CI?.toLowerCase());
}

export const skipsPostgres: boolean = skipsWithout(programs, process.env);

/** Returns the folder with PostgreSQL's programs. Throws if PostgreSQL is not installed. */
export function requirePrograms(found: string | undefined): string {
  if (found !== undefined) return found;
  throw new Error(
    "PostgreSQL is not installed, and CI is set, so its tests are not skipped. Install Debian's package postgresql, or unset CI.",
  );
}

/** Runs the server as the user `postgres`, because it does not start as root. */
const user = process.getuid?.() === 0 ? idsOf("postgres") : {};

function idsOf(name: string): { uid?: number; gid?: number } {
  if (programs === undefined) return {};
  const [uid, gid] = ["-u", "-g"].map((flag) => Number(execFileSync("id", [flag, name], { encoding: "utf8" })));
  return { ...(uid !== undefined && { uid }), ...(gid !== undefined && { gid }) };
}

/** A test file's PostgreSQL server, on a local port. */
export class PostgresCluster {
  readonly #folder: string;
  readonly #port: number;
  #server: ChildProcess | undefined;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.#port = port;
  }

  /** Creates a server with empty data, and starts it. */
  static async create(): Promise<PostgresCluster> {
    const bin = requirePrograms(programs);
    const folder = mkdtempSync(join(tmpdir(), "bridle-postgres-"));
    if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
    const settings = ["-U", "bridle", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
    const options = { ...user, cwd: folder, stdio: "ignore" } as const;
    const data = join(folder, "data");
    createData(data, "postgres", () => execFileSync(join(bin, "initdb"), ["-D", data, ...settings], options));
    const cluster = new PostgresCluster(folder, await findFreePort());
    await cluster.start();
    return cluster;
  }

  get url(): string {
    return `postgresql://bridle@127.0.0.1:${this.#port}/postgres`;
  }

  /** The process id of the server's first process. */
  get pid(): number | undefined {
    return this.#server?.pid;
  }

  async start(): Promise<void> {
    const settings = [
      "-p",
      String(this.#port),
      "-k",
      this.#folder,
      "-c",
      "listen_addresses=127.0.0.1",
      "-c",
      "fsync=off",
    ];
    const options = { ...user, cwd: this.#folder, stdio: "ignore" } as const;
    this.#server = spawn(join(programs ?? "", "postgres"), ["-D", join(this.#folder, "data"), ...settings], options);
    while (!(await this.#isReady())) await sleep(20);
  }

  /** Ends all connections at once. With `SIGQUIT`, the server recovers from its log when it starts again. */
  async stop(signal: "SIGINT" | "SIGQUIT" = "SIGINT"): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined || server.exitCode !== null) return;
    const ended = once(server, "close");
    server.kill(signal);
    await ended;
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Sends a statement directly to the server, past the event log. */
  async send(sql: string, values: readonly unknown[] = []): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: this.url });
    client.on("error", () => {});
    await client.connect();
    try {
      return (await client.query(sql, [...values])).rows;
    } finally {
      await client.end();
    }
  }

  /** Ends the connections of all event logs. Returns their number. */
  async cutConnections(): Promise<number> {
    const rows = await this.send(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'bridle'",
    );
    return rows.length;
  }

  async #isReady(): Promise<boolean> {
    try {
      await this.send("SELECT 1");
      return true;
    } catch {
      if (this.#server?.exitCode != null) throw new Error("The test's PostgreSQL does not start.");
      return false;
    }
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (address === null || typeof address === "string") throw new Error("There is no free port.");
  return address.port;
}
