import { Socket } from "node:net";

/** A row that is longer than its statement may read. What was read before it counts. */
export class RowTooLongError extends Error {}

/**
 * Cuts a connection on which more bytes arrive without a row than one row may have. Drivers put a row together in memory before
 * they pass it on, however long it is.
 */
export class RowGuard {
  readonly #socket: Socket;
  #max = Number.POSITIVE_INFINITY;
  #received = 0;
  #onTooLong: () => void = () => {};

  /** `socket` is what the driver reads. Of another value nothing is guarded. */
  constructor(socket: unknown) {
    this.#socket = socket instanceof Socket ? socket : new Socket();
    this.#socket.prependListener("data", this.#onData);
  }

  /** Begins with a statement. `onTooLong` is called once, before the connection is cut. */
  begin(maxBytes: number, onTooLong: () => void): void {
    this.#max = maxBytes;
    this.#received = 0;
    this.#onTooLong = onTooLong;
  }

  /** Called for each row that the driver passes on. */
  rowArrived(): void {
    this.#received = 0;
  }

  /** Statements of the connector itself have no limit. */
  end(): void {
    this.#max = Number.POSITIVE_INFINITY;
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#received += chunk.length;
    if (this.#received <= this.#max) return;
    this.end();
    this.#onTooLong();
    this.#socket.destroy(new RowTooLongError("A row is longer than its statement may read."));
  };
}
