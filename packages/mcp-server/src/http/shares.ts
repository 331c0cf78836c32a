/**
 * A resource that several users share, such as slots or bytes. Half of it is divided among the users, so that each always has a part. The
 * other half goes to the first users who need it.
 */
export class Shares {
  readonly #own: number;
  readonly #common: number;
  readonly #held = new Map<string, number>();

  constructor(max: number, users: number) {
    this.#own = Math.max(1, Math.floor(max / 2 / users));
    this.#common = Math.max(0, max - this.#own * users);
  }

  /** The maximum that one user can hold while the others use only their own part. */
  get maxOfOne(): number {
    return this.#own + this.#common;
  }

  heldBy(user: string): number {
    return this.#held.get(user) ?? 0;
  }

  /** Takes this amount for a user. Returns false and takes nothing if too little is left. */
  take(user: string, count = 1): boolean {
    const held = this.heldBy(user);
    const more = this.#beyond(held + count) - this.#beyond(held);
    if (more > 0 && this.#inCommon() + more > this.#common) return false;
    this.#held.set(user, held + count);
    return true;
  }

  /** Takes this amount, even if too little is left. */
  add(user: string, count: number): void {
    this.#held.set(user, this.heldBy(user) + count);
  }

  leave(user: string, count = 1): void {
    const left = this.heldBy(user) - count;
    if (left > 0) this.#held.set(user, left);
    else this.#held.delete(user);
  }

  #beyond(held: number): number {
    return Math.max(0, held - this.#own);
  }

  #inCommon(): number {
    let sum = 0;
    for (const held of this.#held.values()) sum += this.#beyond(held);
    return sum;
  }
}
