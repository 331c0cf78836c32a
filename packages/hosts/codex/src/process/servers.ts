import { BackendCrashError } from "@bridle/protocol";
import { EmptyDatabases } from "../home/empty-databases.ts";
import type { ResolvedCodexOptions } from "../options.ts";
import type { AppServer } from "./app-server.ts";
import { DatabasePreparation } from "./database-preparation.ts";
import { startAppServer } from "./start-server.ts";

/** How many milliseconds an idle process may take to exit after its input is closed. */
const graceMs = 400;

/** How many milliseconds a process without a conversation is kept. */
const idleMs = 60_000;

interface Entry {
  readonly starting: Promise<AppServer>;
  users: number;
  timer: NodeJS.Timeout | undefined;
}

/** A process that a conversation uses, until it is released. */
export interface AcquiredServer {
  readonly server: AppServer;
  release(): void;
}

/**
 * The processes of a backend. One process serves all conversations with the same opened tools at the same time, and is kept for a while
 * after the last of them. An idle process does not keep this program alive.
 */
export class Servers {
  readonly #options: ResolvedCodexOptions;
  readonly #databases: EmptyDatabases;
  readonly #preparation: DatabasePreparation;
  readonly #entries = new Map<string, Entry>();
  readonly #ended = new Set<Promise<void>>();
  #isClosed = false;
  #reused = 0;

  constructor(options: ResolvedCodexOptions, databases = new EmptyDatabases()) {
    this.#options = options;
    this.#databases = databases;
    this.#preparation = new DatabasePreparation(options, databases);
  }

  get state(): { idle: number; busy: number; reused: number } {
    const entries = [...this.#entries.values()];
    const busy = entries.filter(({ users }) => users > 0).length;
    return { idle: entries.length - busy, busy, reused: this.#reused };
  }

  /** Returns the running process if there is one, else starts a new one. */
  async acquire(opened: readonly string[]): Promise<AcquiredServer> {
    const key = JSON.stringify([...opened].sort());
    const running = this.#entries.get(key);
    const acquired = running && (await this.#use(key, running));
    if (acquired) {
      this.#reused += 1;
      return acquired;
    }
    const started = await this.#use(key, this.#entries.get(key) ?? this.#start(key, opened));
    if (started) return started;
    throw new BackendCrashError("The process of Codex ended as soon as it had started.");
  }

  /** Acquires a listed process. Returns undefined if the process has ended: a killed process is listed until its end is noticed. */
  async #use(key: string, entry: Entry): Promise<AcquiredServer | undefined> {
    entry.users += 1;
    clearTimeout(entry.timer);
    const server = await entry.starting;
    if (server.isUsable) {
      server.ref();
      return { server, release: () => this.#release(key, entry, server) };
    }
    entry.users -= 1;
    this.#forget(key, entry);
    if (entry.users === 0) this.#end(key, entry);
    return undefined;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const [key, entry] of this.#entries) this.#end(key, entry);
    await Promise.all([...this.#ended, this.#preparation.close()]);
  }

  #start(key: string, opened: readonly string[]): Entry {
    if (this.#isClosed) throw new BackendCrashError("The backend was closed.");
    const databases = this.#databases.read();
    const entry: Entry = { starting: startAppServer(this.#options, opened, databases), users: 0, timer: undefined };
    this.#entries.set(key, entry);
    const forget = () => this.#forget(key, entry);
    entry.starting.then(({ gone }) => {
      if (databases === undefined && !this.#isClosed) this.#preparation.begin();
      return gone.then(forget);
    }, forget);
    return entry;
  }

  #forget(key: string, entry: Entry): void {
    if (this.#entries.get(key) === entry) this.#entries.delete(key);
  }

  #release(key: string, entry: Entry, server: AppServer): void {
    entry.users -= 1;
    if (entry.users > 0) return;
    if (!server.isUsable) {
      this.#end(key, entry);
      return;
    }
    server.unref();
    entry.timer = setTimeout(() => this.#end(key, entry), idleMs);
    entry.timer.unref();
  }

  #end(key: string, entry: Entry): void {
    clearTimeout(entry.timer);
    this.#forget(key, entry);
    const end = entry.starting.then(
      (server) => server.close(graceMs),
      () => {},
    );
    this.#ended.add(end);
    void end.finally(() => this.#ended.delete(end));
  }
}
