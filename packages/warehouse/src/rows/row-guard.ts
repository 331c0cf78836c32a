import { Socket } from "node:net";

/** A row exceeds the limit of its statement. The rows before it are valid. */
export class RowTooLongError extends Error {}

/**
 * Cuts a connection that receives more bytes without a row than one row may have. Drivers assemble a row in memory before they pass it on,
 * regardless of its length.
 */
export class RowGuard {
  readonly #socket: Socket;
  #max = Number.POSITIVE_INFINITY;
  #received = 0;
  #onTooLong: () => void = () => {};

  /** `socket` is the stream that the driver reads. Other values are not guarded. */
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
