import type { Logger } from "@bridle/protocol";
import type { Warehouse } from "@bridle/warehouse";

/** When a run uses a connection, logs a warning for each of its patterns that matches nothing, such as a misspelt `exclude`. */
export class PatternWarnings {
  readonly #logger: Logger | undefined;
  readonly #reported = new Map<string, Promise<void>>();

  constructor(logger: Logger | undefined) {
    this.#logger = logger;
  }

  /** Logs the warnings of a connection once. Never rejects: if the connection fails, its next use reports the error. */
  async report(warehouse: Warehouse, signal?: AbortSignal): Promise<void> {
    if (this.#logger === undefined) return;
    const reporting = this.#reported.get(warehouse.name) ?? this.#report(warehouse, this.#logger, signal);
    this.#reported.set(warehouse.name, reporting);
    await reporting.catch(() => this.#reported.delete(warehouse.name));
  }

  async #report(warehouse: Warehouse, logger: Logger, signal: AbortSignal | undefined): Promise<void> {
    for (const pattern of await warehouse.findUnusedPatterns(signal)) {
      const message = `No name of the connection ${warehouse.name} matches "${pattern}", so it has no effect. Correct or remove it in bridle.yaml.`;
      logger.warn({ connection: warehouse.name }, message);
    }
  }
}
