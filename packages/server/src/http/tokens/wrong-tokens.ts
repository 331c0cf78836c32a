const minute = 60_000;
const maxAddresses = 10_000;

/** Counts the wrong tokens of each address within a minute. */
export class WrongTokens {
  readonly #max: number;
  readonly #now: () => number;
  readonly #byAddress = new Map<string, { since: number; count: number }>();

  constructor(max: number, now: () => number) {
    this.#max = max;
    this.#now = now;
  }

  /** Counts a wrong token. If there were too many, returns the milliseconds to wait. */
  add(address: string): number | undefined {
    const now = this.#now();
    const known = this.#byAddress.get(address);
    const entry = known && now - known.since < minute ? known : { since: now, count: 0 };
    entry.count += 1;
    if (known !== entry) this.#remember(address, entry);
    return entry.count > this.#max ? entry.since + minute - now : undefined;
  }

  /** Limits the memory for many addresses by forgetting the oldest address. */
  #remember(address: string, entry: { since: number; count: number }): void {
    this.#byAddress.delete(address);
    this.#byAddress.set(address, entry);
    const [oldest] = this.#byAddress.keys();
    if (this.#byAddress.size > maxAddresses && oldest !== undefined) this.#byAddress.delete(oldest);
  }
}
