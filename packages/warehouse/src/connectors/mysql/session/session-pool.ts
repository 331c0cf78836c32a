import { NetworkError } from "@bridle/protocol";
import type { Connection } from "mysql2";
import type { MySqlDriver } from "./driver.ts";
import { MySqlSession, sendOn } from "./mysql-session.ts";
import { type MySqlProduct, readProduct } from "./product.ts";

/** Statements that may run at the same time. Others wait. */
const mostSessions = 4;

/** The sessions of a connection, and one connection beside them that ends their statements. */
export class MySqlPool {
  readonly product: MySqlProduct;
  readonly #driver: MySqlDriver;
  readonly #idle: MySqlSession[] = [];
  readonly #all = new Set<MySqlSession>();
  readonly #waiting: (() => void)[] = [];
  #used = 0;
  #closed = false;
  #control: Promise<Connection> | undefined;
  /** Statements that were sent for callers. */
  statements = 0;

  private constructor(driver: MySqlDriver, product: MySqlProduct) {
    this.#driver = driver;
    this.product = product;
  }

  static async open(driver: MySqlDriver): Promise<MySqlPool> {
    const connection = await driver.open();
    try {
      const [[version] = []] = await sendOn(connection, "SELECT VERSION()");
      const pool = new MySqlPool(driver, readProduct(String(version)));
      await pool.#adopt(connection);
      return pool;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  async #adopt(connection: Connection): Promise<void> {
    const session = await MySqlSession.start(connection, this.product);
    this.#all.add(session);
    this.#idle.push(session);
  }

  /** A session that nobody else uses. Give it back with `release`. */
  async acquire(): Promise<MySqlSession> {
    while (this.#used >= mostSessions) await this.#wait();
    if (this.#closed) throw new NetworkError("The connection to MySQL is closed. Open it again.");
    this.#used += 1;
    try {
      return this.#takeIdle() ?? (await this.#openSession());
    } catch (error) {
      this.#free();
      throw error;
    }
  }

  #takeIdle(): MySqlSession | undefined {
    for (let session = this.#idle.pop(); session !== undefined; session = this.#idle.pop()) {
      if (!session.isBroken) return session;
      this.#discard(session);
    }
    return undefined;
  }

  async #openSession(): Promise<MySqlSession> {
    const connection = await this.#driver.open();
    const session = await MySqlSession.start(connection, this.product);
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

  async release(session: MySqlSession): Promise<void> {
    await session.recover();
    if (session.isBroken || this.#closed) this.#discard(session);
    else this.#idle.push(session);
    this.#free();
  }

  #discard(session: MySqlSession): void {
    this.#all.delete(session);
    session.connection.destroy();
  }

  /** Ends the statement of a session on the server. If that cannot be done, the session is cut. */
  async interrupt(session: MySqlSession): Promise<void> {
    try {
      this.#control ??= this.#driver.open();
      await sendOn(await this.#control, `KILL QUERY ${session.id}`);
    } catch {
      this.#control = undefined;
      session.isBroken = true;
      session.connection.destroy();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const session of this.#all) this.#discard(session);
    for (const wake of this.#waiting.splice(0)) wake();
    (await this.#control?.catch(() => undefined))?.destroy();
  }
}
