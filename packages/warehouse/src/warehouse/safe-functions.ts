import type { EngineConnection } from "../port/connector.ts";

/** Reads, only once, the functions that an engine declares as safe. */
export class SafeFunctions {
  readonly #engine: EngineConnection;
  #found: Promise<ReadonlySet<string>> | undefined;

  constructor(engine: EngineConnection) {
    this.#engine = engine;
  }

  async read(): Promise<ReadonlySet<string> | undefined> {
    this.#found ??= this.#engine.readSafeFunctions?.();
    try {
      return await this.#found;
    } catch (error) {
      this.#found = undefined; // so that the next call tries again
      throw error;
    }
  }
}
