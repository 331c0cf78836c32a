import type { Connection } from "mysql2";
import type { MySqlDriver } from "./driver.ts";
import { sendOn } from "./send-on.ts";

/** A separate connection that ends statements of other connections on the server. It is opened when it is needed. */
export class MySqlControl {
  readonly #driver: MySqlDriver;
  #connection: Promise<Connection> | undefined;

  constructor(driver: MySqlDriver) {
    this.#driver = driver;
  }

  /** Ends the running statement of a session. Rejects if the server cannot be reached. */
  async kill(threadId: number): Promise<void> {
    try {
      this.#connection ??= this.#driver.open();
      await sendOn(await this.#connection, `KILL QUERY ${threadId}`);
    } catch (error) {
      const lost = this.#connection;
      this.#connection = undefined;
      (await lost?.catch(() => undefined))?.destroy();
      throw error;
    }
  }

  async close(): Promise<void> {
    (await this.#connection?.catch(() => undefined))?.destroy();
  }
}
