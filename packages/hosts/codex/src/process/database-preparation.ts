import { machineVariables } from "@bridle/host-shared";
import { toArguments } from "../boundary/closed-set.ts";
import { requirePinnedCodex } from "../boundary/codex-binary.ts";
import { withoutPrograms } from "../environment/without-programs.ts";
import { type DatabaseFiles, type EmptyDatabases, readDatabases } from "../home/empty-databases.ts";
import { createPrivateHome } from "../home/private-home.ts";
import type { ResolvedCodexOptions } from "../options.ts";
import { AppServer } from "./app-server.ts";
import { closedCatalog, processSettings } from "./start-server.ts";

/** The delay in milliseconds until the preparation begins. By then, the first request has been sent and the model is working. */
const delayMs = 1000;

const timeLimitMs = 10_000;

/** How many milliseconds Codex may take to end. When Codex ends by itself, it writes most of its databases' logs back. */
const graceMs = 400;

/** Creates the file of empty databases for later processes while a Codex process runs. The work does not keep the program alive. */
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

  /** Begins after a delay, only once. A failure has no consequence, because Codex then creates its databases itself. */
  begin(): void {
    this.#timer ??= setTimeout(() => {
      this.#work = this.#databases.store(() => this.#create()).catch(() => {});
    }, delayMs).unref();
  }

  /** Waits for the work, and aborts it if it is not done soon. */
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
 * Starts Codex once in a separate home and returns the databases that it has created. The process gets no login, key or conversation, so
 * the databases contain no data.
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
