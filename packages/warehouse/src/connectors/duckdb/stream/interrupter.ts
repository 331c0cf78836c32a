import type { DuckDBConnection } from "@duckdb/node-api";

type StopReason = "timeout" | "signal" | "closed";

/**
 * Milliseconds between two interrupts. DuckDB ignores an interrupt that arrives before the statement runs, so the interrupt is repeated.
 */
const repeatMs = 20;

/** The longest time in milliseconds that a Node.js timer accepts. */
const maxMs = 2 ** 31 - 1;

export interface InterrupterOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Called if the interrupter is stopped while nothing runs. */
  readonly onIdleStop?: (() => void) | undefined;
}

/** Interrupts the operation on a connection after a time limit, on a signal, or when the connection closes. */
export class Interrupter {
  readonly #connection: DuckDBConnection;
  readonly #signal: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout;
  readonly #onAbort = () => this.stop("signal");
  readonly #onIdleStop: (() => void) | undefined;
  #reason: StopReason | undefined;
  #running = false;

  constructor(connection: DuckDBConnection, { timeoutMs, signal, onIdleStop }: InterrupterOptions) {
    this.#connection = connection;
    this.#signal = signal;
    this.#onIdleStop = onIdleStop;
    this.#timer = setTimeout(() => this.stop("timeout"), Math.min(timeoutMs, maxMs));
    this.#timer.unref();
    signal?.addEventListener("abort", this.#onAbort, { once: true });
    if (signal?.aborted === true) this.stop("signal");
  }

  get reason(): StopReason | undefined {
    return this.#reason;
  }

  /** Ends the running operation soon, and prevents further ones. */
  stop(reason: StopReason): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    if (this.#running) this.#repeat();
    else this.#onIdleStop?.();
  }

  /** Runs one operation of the driver. Only one operation may run at a time. */
  async run<T>(operation: () => Promise<T>): Promise<T> {
    this.#throwIfStopped();
    this.#running = true;
    try {
      return await operation();
    } finally {
      this.#running = false;
      this.#throwIfStopped();
    }
  }

  /** Runs an operation whose result is not used, and interrupts it until it ends. */
  async abandon(operation: () => Promise<unknown>): Promise<void> {
    this.#running = true;
    this.#repeat();
    await operation().catch(() => {});
    this.#running = false;
  }

  /** Releases the timer and the signal. */
  finish(): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener("abort", this.#onAbort);
  }

  #repeat(): void {
    if (!this.#running) return;
    this.#connection.interrupt();
    setTimeout(() => this.#repeat(), repeatMs);
  }

  #throwIfStopped(): void {
    if (this.#reason !== undefined) throw new Error(`stopped: ${this.#reason}`);
  }
}
