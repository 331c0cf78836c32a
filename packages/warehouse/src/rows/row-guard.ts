import { Socket } from "node:net";

/** Thrown if a row exceeds its statement's limit. The rows before it are valid. */
export class RowTooLongError extends Error {}

/**
 * Cuts a connection if it receives more bytes than one row may have before a row is complete. Drivers assemble a row in memory before they
 * pass it on, regardless of its length.
 */
export class RowGuard {
  readonly #socket: Socket;
  #max = Number.POSITIVE_INFINITY;
  #received = 0;
  #onTooLong: () => void = () => {};

  /** Creates a guard. `socket` is the stream that the driver reads. Other values are not guarded. */
  constructor(socket: unknown) {
    this.#socket = socket instanceof Socket ? socket : new Socket();
    this.#socket.prependListener("data", this.#onData);
  }

  /** Starts guarding a statement. `onTooLong` is called once, before the connection is cut. */
  begin(maxBytes: number, onTooLong: () => void): void {
    this.#max = maxBytes;
    this.#received = 0;
    this.#onTooLong = onTooLong;
  }

  /** Notes that a row has arrived. Call this for each row that the driver passes on. */
  rowArrived(): void {
    this.#received = 0;
  }

  /** Stops guarding, because the connector's own statements have no limit. */
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
