/** A value with listeners that are called when it changes. */
export class ChatStore<T> {
  #value: T;
  readonly #listeners: (() => void)[] = [];

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  update(change: (value: T) => T): void {
    this.#value = change(this.#value);
    for (const listener of this.#listeners) listener();
  }

  subscribe(listener: () => void): void {
    this.#listeners.push(listener);
  }
}
