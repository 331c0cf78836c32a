import { TooManyRunsError } from "./serving-errors.ts";

/** The slots of a server for runs in progress. One slot is reserved for each user without a run, up to half of all slots. */
export class RunSlots {
  readonly #max: number;
  readonly #users: number;
  readonly #taken = new Map<RunShare, number>();

  /** `users`: the number of users that share the slots. */
  constructor(max: number, users = 1) {
    this.#max = max;
    this.#users = users;
  }

  /** Creates a user's share. */
  share(): RunShare {
    return new RunShare(this);
  }

  /** Takes slots. Throws TooManyRunsError if not enough are free. */
  take(share: RunShare, places: number): void {
    const own = this.#taken.get(share) ?? 0;
    const others = this.#taken.size - (own > 0 ? 1 : 0);
    const kept = own > 0 || places > 1 ? Math.min(Math.max(0, this.#users - 1 - others), Math.floor(this.#max / 2)) : 0;
    if (this.#total + places > this.#max - kept) throw new TooManyRunsError(this.#max);
    this.add(share, places);
  }

  /** Changes the number of used slots, even beyond the maximum. */
  add(share: RunShare, places: number): void {
    const own = (this.#taken.get(share) ?? 0) + places;
    if (own > 0) this.#taken.set(share, own);
    else this.#taken.delete(share);
  }

  get #total(): number {
    return [...this.#taken.values()].reduce((sum, each) => sum + each, 0);
  }
}

/** The slots of one user. */
export class RunShare {
  readonly #slots: RunSlots;

  constructor(slots: RunSlots) {
    this.#slots = slots;
  }

  /** Takes slots. Throws TooManyRunsError if not enough are free. */
  take(places = 1): TakenPlaces {
    this.#slots.take(this, places);
    return new TakenPlaces((change) => this.#slots.add(this, change), places);
  }
}

/** Slots that are in use until `leave` is called. */
export class TakenPlaces {
  readonly #change: (places: number) => void;
  readonly #places: number;
  #isTaken = true;
  #hasLeft = false;

  constructor(change: (places: number) => void, places: number) {
    this.#change = change;
    this.#places = places;
  }

  /** Releases the slot while the run waits for a user, which can take days. */
  rest(): void {
    if (this.#isTaken) this.#change(-this.#places);
    this.#isTaken = false;
  }

  /**
   * Takes the slot again when the run continues. This may exceed the maximum, so that a user who has answered does not wait for
   * other runs.
   */
  wake(): void {
    if (this.#isTaken || this.#hasLeft) return;
    this.#isTaken = true;
    this.#change(this.#places);
  }

  leave(): void {
    this.rest();
    this.#hasLeft = true;
  }
}
