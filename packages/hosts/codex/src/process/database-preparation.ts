import { machineVariables } from "@bridle/host-shared";
import { toArguments } from "../boundary/closed-set.ts";
import { requirePinnedCodex } from "../boundary/codex-binary.ts";
import { withoutPrograms } from "../environment/without-programs.ts";
import { type DatabaseFiles, type EmptyDatabases, readDatabases } from "../home/empty-databases.ts";
import { createPrivateHome } from "../home/private-home.ts";
import type { ResolvedCodexOptions } from "../options.ts";
import { AppServer } from "./app-server.ts";
import { closedCatalog, processSettings } from "./start-server.ts";

/** After this delay the first request has been sent, and the model is at work. */
const delayMs = 1000;

const timeLimitMs = 10_000;

/** Codex writes most of its databases' logs back when it ends by itself. */
const graceMs = 400;

/**
 * Creates the file of empty databases while a process of Codex runs, for later processes. It does not keep this program
 * alive.
 */
export class DatabasePreparation {
  readonly #options: ResolvedCodexOptions;
  readonly #databases: EmptyDatabases;
  readonly #aborted = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #work: Promise<void> = Promise.resolve();

  constructor(options: ResolvedCodexOptions, databases: EmptyDatabases) {
    this.#options = options;
    this.#databases = databases;
  }

  /** Begins once, after a while. A failure has no consequence: Codex creates its databases then. */
  begin(): void {
    this.#timer ??= setTimeout(() => {
      this.#work = this.#databases.store(() => this.#create()).catch(() => {});
    }, delayMs).unref();
  }

  /** Aborts work that is not done soon. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    const late = setTimeout(() => this.#aborted.abort(), graceMs);
    await this.#work;
    clearTimeout(late);
  }

  #create(): Promise<DatabaseFiles> {
    return createDatabases(this.#options, this.#aborted.signal);
  }
}

/**
 * Starts Codex once in a separate home and returns the databases that it has created. The process gets no login, no key
 * and no conversation, so the databases contain no data.
 */
export async function createDatabases(
  { environment }: Pick<ResolvedCodexOptions, "environment">,
  signal: AbortSignal,
): Promise<DatabaseFiles> {
  const home = createPrivateHome(environment, undefined, { catalog: await closedCatalog() });
  try {
    signal.throwIfAborted();
    const server = new AppServer({
      command: requirePinnedCodex().binary,
      args: toArguments(processSettings({ auth: "api_key", environment }, [], home.catalogFile)),
      environment: withoutPrograms(machineVariables(environment), [], home),
      home: { ...home, remove: async () => {} },
      timeLimitMs,
    });
    server.unref();
    signal.addEventListener("abort", () => void server.close(0), { once: true });
    await server.initialize().finally(() => server.close(graceMs));
    signal.throwIfAborted();
    return readDatabases(home.codexHome);
  } finally {
    await home.remove();
  }
}
