import type { OpenWorkspace } from "./open-workspace.ts";
import { ServingEndedError } from "./serving-errors.ts";

export interface WorkspacesOptions {
  /** Opens what a user has. Without a namespace: what the project itself has. */
  open(namespace: string | undefined): Promise<OpenWorkspace>;
  /** Milliseconds after a request after which a user's workspace that nobody uses is closed. */
  readonly idleMs: number;
}

interface Entry {
  readonly opened: Promise<OpenWorkspace>;
  /** Of the last request, in milliseconds of `performance.now()`. */
  usedAt: number;
}

/** The workspaces of all users of a server. Each is opened for its first request, and closed when it has been idle for some time. */
export class Workspaces {
  readonly #options: WorkspacesOptions;
  readonly #entries = new Map<string | undefined, Entry>();
  readonly #timer: NodeJS.Timeout;
  #isEnded = false;

  constructor(options: WorkspacesOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.closeIdle(), Math.max(options.idleMs / 4, 50));
    this.#timer.unref();
  }

  /** The number of open workspaces. */
  get size(): number {
    return this.#entries.size;
  }

  /** The workspace of a user. Throws a BridleError if it cannot be opened; the next request tries again. */
  async of(namespace: string | undefined): Promise<OpenWorkspace> {
    if (this.#isEnded) throw new ServingEndedError();
    const entry = this.#entries.get(namespace) ?? { opened: this.#options.open(namespace), usedAt: 0 };
    this.#entries.set(namespace, entry);
    entry.usedAt = performance.now();
    try {
      return await entry.opened;
    } catch (error) {
      if (this.#entries.get(namespace) === entry) this.#entries.delete(namespace);
      throw error;
    }
  }

  /** Closes those of users that have been idle long enough. The project's own stays open. */
  async closeIdle(): Promise<void> {
    const before = performance.now() - this.#options.idleMs;
    for (const [namespace, entry] of [...this.#entries]) {
      if (namespace === undefined) continue;
      const workspace = await entry.opened.catch(() => undefined);
      if (workspace === undefined || workspace.isInUse || entry.usedAt > before) continue;
      this.#entries.delete(namespace);
      await workspace.close();
    }
  }

  /** Closes all: see `OpenWorkspace.close`. */
  async close(graceMs = 0): Promise<void> {
    this.#isEnded = true;
    clearInterval(this.#timer);
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    await Promise.all(
      entries.map(async ({ opened }) => {
        const workspace = await opened.catch(() => undefined);
        await workspace?.close(graceMs);
      }),
    );
  }
}
