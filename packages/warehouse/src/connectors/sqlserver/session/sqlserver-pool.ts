import { NetworkError } from "@bridle/protocol";
import type { SqlServerDriver } from "./driver.ts";
import { SqlServerSession } from "./sqlserver-session.ts";

/** Statements that may run at the same time. Others wait. */
const mostSessions = 4;

export class SqlServerPool {
  readonly #driver: SqlServerDriver;
  readonly #idle: SqlServerSession[] = [];
  readonly #all = new Set<SqlServerSession>();
  readonly #waiting: (() => void)[] = [];
  #used = 0;
  #closed = false;
  isolation: "SNAPSHOT" | "READ COMMITTED" = "READ COMMITTED";
  /** Statements that were sent for callers. */
  statements = 0;

  constructor(driver: SqlServerDriver) {
    this.#driver = driver;
  }

  /** A session that nobody else uses. Give it back with `release`. */
  async acquire(): Promise<SqlServerSession> {
    while (this.#used >= mostSessions) await this.#wait();
    if (this.#closed) throw new NetworkError("The connection to SQL Server is closed. Open it again.");
    this.#used += 1;
    try {
      return this.#takeIdle() ?? (await this.#openSession());
    } catch (error) {
      this.#free();
      throw error;
    }
  }

  #takeIdle(): SqlServerSession | undefined {
    for (let session = this.#idle.pop(); session !== undefined; session = this.#idle.pop()) {
      if (!session.isBroken) return session;
      this.#discard(session);
    }
    return undefined;
  }

  async #openSession(): Promise<SqlServerSession> {
    const session = await SqlServerSession.open(this.#driver);
    this.#all.add(session);
    return session;
  }

  #wait(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    return promise;
  }

  #free(): void {
    this.#used -= 1;
    this.#waiting.shift()?.();
  }

  async release(session: SqlServerSession): Promise<void> {
    await session.recover();
    if (session.isBroken || this.#closed) this.#discard(session);
    else this.#idle.push(session);
    this.#free();
  }

  #discard(session: SqlServerSession): void {
    this.#all.delete(session);
    session.connection.close();
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const session of this.#all) this.#discard(session);
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
