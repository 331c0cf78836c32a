/** Sends the connector's own statements about the catalog. */
import { AbortError } from "@bridle/protocol";
import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api";
import { Interrupter } from "../stream/interrupter.ts";

/** Runs statements on one connection, one after the other. */
export interface DuckDbReader {
  /** Reads all rows of a statement. */
  read(sql: string): Promise<readonly (readonly DuckDBValue[])[]>;
}

export class ConnectionReader implements DuckDbReader {
  readonly #connection: DuckDBConnection;
  readonly #interrupter: Interrupter;
  readonly #signal: AbortSignal | undefined;
  readonly #count: () => void;

  /** Creates a reader. `count` is called for each statement. */
  constructor(connection: DuckDBConnection, signal: AbortSignal | undefined, count: () => void) {
    this.#connection = connection;
    this.#interrupter = new Interrupter(connection, { timeoutMs: Number.POSITIVE_INFINITY, signal });
    this.#signal = signal;
    this.#count = count;
  }

  async read(sql: string): Promise<readonly (readonly DuckDBValue[])[]> {
    try {
      const result = await this.#interrupter.run(() => {
        this.#count();
        return this.#connection.runAndReadAll(sql);
      });
      return result.getRows();
    } catch (cause) {
      if (this.#interrupter.reason === undefined) throw cause;
      throw new AbortError("The statement was stopped.", { cause: this.#signal?.reason });
    }
  }

  close(): void {
    this.#interrupter.finish();
    this.#connection.disconnectSync();
  }
}
