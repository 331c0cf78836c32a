import type { EngineConnection } from "../port/connector.ts";

/** The functions that an engine declares as safe. They are read only once. */
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
      this.#found = undefined; // the next call tries again
      throw error;
    }
  }
}
