import { StoppedError } from "@bridle/protocol";
import { Permits } from "./permits.ts";

/** The maximum number of statements that run at the same time. Further ones wait. */
const maxSessions = 4;

/** One session on the server, or one process. It runs one statement at a time. */
export interface PooledSession {
  /** Set when the state of the session is unknown, so that it is not used again. */
  readonly isBroken: boolean;
  /** Ends the running statement on the server. Contract: it never rejects. A session is broken if its statement cannot be ended. */
  interrupt(): Promise<void>;
  /** Restores the session's settings. Contract: it never rejects. A session whose settings cannot be restored is broken. */
  recover(): Promise<void>;
  /** Closes the session, even while it is busy. */
  destroy(): Promise<void>;
}

/** The sessions of one connection. Each session is opened when needed, used by one statement at a time, and kept for the next. */
export class SessionPool<Session extends PooledSession> {
  /** The number of statements sent so far. */
  statements = 0;
  readonly #open: () => Promise<Session>;
  readonly #permits = new Permits(maxSessions);
  readonly #idle: Session[] = [];
  readonly #all = new Set<Session>();
  #isClosed = false;

  constructor(open: () => Promise<Session>) {
    this.#open = open;
  }

  /** Returns a session for exclusive use. Return it with `release`. */
  async acquire(signal?: AbortSignal): Promise<Session> {
    this.#throwIfClosed();
    await this.#permits.take(signal);
    try {
      this.#throwIfClosed();
      return (await this.#takeIdle()) ?? (await this.#openSession());
    } catch (error) {
      this.#permits.give();
      throw error;
    }
  }

  async release(session: Session): Promise<void> {
    await session.recover();
    if (session.isBroken || this.#isClosed) await this.#discard(session);
    else this.#idle.push(session);
    this.#permits.give();
  }

  /** Runs the connector's own queries on a separate session. The signal interrupts them. */
  async use<T>(work: (session: Session) => Promise<T>, signal?: AbortSignal): Promise<T> {
    throwIfStopped(signal);
    const session = await this.acquire(signal);
    const onAbort = () => void session.interrupt();
    signal?.addEventListener("abort", onAbort);
    try {
      return await work(session);
    } catch (cause) {
      throwIfStopped(signal, cause);
      throw cause;
    } finally {
      signal?.removeEventListener("abort", onAbort);
      await this.release(session);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#permits.giveAll();
    await Promise.all([...this.#all].map((session) => this.#discard(session)));
  }

  async #takeIdle(): Promise<Session | undefined> {
    for (let session = this.#idle.pop(); session !== undefined; session = this.#idle.pop()) {
      if (!session.isBroken) return session;
      await this.#discard(session);
    }
    return undefined;
  }

  async #openSession(): Promise<Session> {
    const session = await this.#open();
    this.#all.add(session);
    if (!this.#isClosed) return session;
    await this.#discard(session);
    throw closed();
  }

  async #discard(session: Session): Promise<void> {
    this.#all.delete(session);
    await session.destroy();
  }

  #throwIfClosed(): void {
    if (this.#isClosed) throw closed();
  }
}

/** @throws StoppedError if the signal is aborted. */
export function throwIfStopped(signal: AbortSignal | undefined, cause?: unknown): void {
  if (signal?.aborted) throw new StoppedError("Reading the catalog was stopped.", { by: "signal", cause });
}

function closed(): StoppedError {
  return new StoppedError("The connection is closed. Open it again to read.");
}
