import type { Logger } from "@bridle/protocol";
import type { OpenWorkspace } from "./open-workspace.ts";
import { ServingEndedError } from "./serving-errors.ts";

export interface WorkspacesOptions {
  /** Opens the workspace of a user, or of the project itself if `namespace` is undefined. */
  open(namespace: string | undefined): Promise<OpenWorkspace>;
  /** How long an unused workspace stays open after the last request, in milliseconds. */
  readonly idleMs: number;
  readonly logger: Logger;
}

interface Entry {
  readonly opened: Promise<OpenWorkspace>;
  /** The number of requests that use the workspace. */
  requests: number;
  /** The end of the last request, in milliseconds of `performance.now()`. */
  usedAt: number;
}

/** The workspaces of all users of a server. Each is opened for its first request, and closed when it has been idle for some time. */
export class Workspaces {
  readonly #options: WorkspacesOptions;
  readonly #entries = new Map<string | undefined, Entry>();
  /** Workspaces that are being closed. `close` waits for them. */
  readonly #closing = new Set<Promise<void>>();
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

  /**
   * Returns a user's workspace. It stays open until the signal, such as a request's, is aborted. Throws a BridleError if the workspace
   * cannot be opened; the next request tries again.
   */
  async of(namespace: string | undefined, inUse?: AbortSignal): Promise<OpenWorkspace> {
    const entry = this.#entries.get(namespace) ?? this.#open(namespace);
    this.#use(entry, inUse);
    try {
      return await entry.opened;
    } catch (error) {
      if (this.#entries.get(namespace) === entry) this.#entries.delete(namespace);
      throw error;
    }
  }

  /** Closes users' workspaces that have been idle long enough. The project's own stays open. Never rejects. */
  async closeIdle(): Promise<void> {
    const before = performance.now() - this.#options.idleMs;
    for (const [namespace, entry] of [...this.#entries]) {
      if (namespace === undefined) continue;
      const workspace = await entry.opened.catch(() => undefined);
      if (workspace === undefined || this.#entries.get(namespace) !== entry) continue;
      if (workspace.isInUse || entry.requests > 0 || entry.usedAt > before) continue;
      this.#entries.delete(namespace);
      await this.#close(workspace);
    }
  }

  /** Starts no more work: see `OpenWorkspace.end`. Requests to open workspaces are still answered. */
  async end(graceMs: number): Promise<void> {
    this.#isEnded = true;
    clearInterval(this.#timer);
    await Promise.all((await this.#opened()).map((workspace) => workspace.end(graceMs)));
  }

  /** Ends and closes all workspaces. */
  async close(graceMs = 0): Promise<void> {
    await this.end(graceMs);
    const workspaces = await this.#opened();
    this.#entries.clear();
    await Promise.all([...this.#closing, ...workspaces.map((workspace) => workspace.close())]);
  }

  #open(namespace: string | undefined): Entry {
    if (this.#isEnded) throw new ServingEndedError();
    const entry = { opened: this.#options.open(namespace), requests: 0, usedAt: 0 };
    this.#entries.set(namespace, entry);
    return entry;
  }

  #use(entry: Entry, inUse: AbortSignal | undefined): void {
    entry.usedAt = performance.now();
    if (inUse === undefined || inUse.aborted) return;
    entry.requests += 1;
    const leave = () => {
      entry.requests -= 1;
      entry.usedAt = performance.now();
    };
    inUse.addEventListener("abort", leave, { once: true });
  }

  async #close(workspace: OpenWorkspace): Promise<void> {
    const closing = workspace.close().catch((error: unknown) => {
      this.#options.logger.error({ error }, "the workspace of a user could not be closed");
    });
    this.#closing.add(closing);
    await closing;
    this.#closing.delete(closing);
  }

  /** Returns the workspaces that could be opened. */
  async #opened(): Promise<OpenWorkspace[]> {
    const opened = await Promise.allSettled([...this.#entries.values()].map((entry) => entry.opened));
    return opened.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  }
}
