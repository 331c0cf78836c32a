/** The shared knowledge of all processes of an event log about an account's used-up window. */
import { isSameWindow, type LimitState, type Logger, type SharedLimits, silentLogger } from "@bridle/protocol";
import { sha256 } from "../system/hash.ts";

/** Reads and writes the shared windows. If the event log fails, only a warning is logged, so that the run can go on. */
export class KnownWindows {
  readonly #limits: SharedLimits;
  readonly #account: string;
  readonly #logger: Logger;
  /** The stored window at the last read or write. */
  #known: LimitState | undefined;
  /** The number of requests that had been let through when the window became known. */
  #since = 0;
  #pending: Promise<unknown> = Promise.resolve();

  constructor(limits: SharedLimits, account: string, logger: Logger = silentLogger) {
    this.#limits = limits;
    this.#account = sha256(account);
    this.#logger = logger;
  }

  /**
   * Reads the window, and returns it as it was before and as it is now. If the read fails, both are the old window. `grants` counts the
   * requests so far.
   */
  async look(
    grants: number,
  ): Promise<{ readonly before: LimitState | undefined; readonly now: LimitState | undefined }> {
    const before = this.#known;
    await this.#attempt("read", async () => this.#learn(await this.#limits.read(this.#account), grants));
    return { before, now: this.#known };
  }

  /** Stores a window that the host reported, unless a stored window opens later. Both times come from the host. */
  async add(window: LimitState, grants: number): Promise<void> {
    await this.#attempt("written", async () => {
      for (;;) {
        const stored = await this.#limits.read(this.#account);
        const isLater = stored === undefined || stored.resetsAt < window.resetsAt;
        if (isLater && !(await this.#limits.replace(this.#account, stored, window))) continue;
        return this.#learn(isLater ? window : stored, grants);
      }
    });
  }

  /**
   * Removes the known window, because the host answered a request. Does nothing if the request was sent before the window was known. If
   * another process has since stored a window, that window remains.
   */
  async forget(grant: number): Promise<void> {
    const known = this.#known;
    if (known === undefined || grant <= this.#since) return;
    this.#known = undefined;
    await this.#attempt("removed", () => this.#limits.replace(this.#account, known, undefined));
  }

  /** Resolves when nothing is being written. */
  async settled(): Promise<void> {
    await this.#pending;
  }

  #learn(stored: LimitState | undefined, grants: number): void {
    if (!isSameWindow(stored, this.#known)) this.#since = grants;
    this.#known = stored;
  }

  #attempt(what: string, work: () => Promise<unknown>): Promise<void> {
    const done = work().then(
      () => {},
      (error: unknown) =>
        this.#logger.warn({ error }, `the state of a usage limit could not be ${what} in the event log`),
    );
    this.#pending = Promise.all([this.#pending, done]);
    return done;
  }
}

/**
 * Reads the account's window that is still used up, if a process of the event log has stored one.
 *
 * @example
 * (await readUsedUpWindow(eventLog.limits, backend.account))?.resetsAt
 */
export async function readUsedUpWindow(
  limits: SharedLimits,
  account: string,
  now: number = Date.now(),
): Promise<LimitState | undefined> {
  const stored = await limits.read(sha256(account));
  return stored !== undefined && stored.resetsAt > now ? stored : undefined;
}
