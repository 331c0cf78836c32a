const most = 50;

/** Results of this process, each with the state of the data that it belongs to. */
export class ResultCache<Result> {
  readonly #entries = new Map<string, { readonly state: string; readonly result: Result }>();

  /** Undefined if there is none for this state. A state that is not known has none. */
  get(key: string, state: string | undefined): Result | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && entry.state === state ? entry.result : undefined;
  }

  set(key: string, state: string | undefined, result: Result): void {
    if (state === undefined) return;
    this.#entries.delete(key);
    this.#entries.set(key, { state, result });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > most && oldest !== undefined) this.#entries.delete(oldest);
  }
}
