import { resolve } from "node:path";
import { Changes } from "@bridle/core";

/** The stores of this process by their file, shared by all loaded copies of this package. */
const openStores: Map<string, Set<Changes>> = sharedMap(Symbol.for("bridle.store.changes"));

function sharedMap(key: symbol): Map<string, Set<Changes>> {
  const existing: unknown = Reflect.get(globalThis, key);
  if (existing instanceof Map) return existing;
  const stores = new Map<string, Set<Changes>>();
  Reflect.set(globalThis, key, stores);
  return stores;
}

/**
 * Wakes the followers of a file: the appending store's followers at once, and those of this process's other stores when the events are in
 * the file.
 */
export class SharedChanges {
  readonly ofStore = new Changes();
  readonly #file: string;

  constructor(file: string) {
    this.#file = resolve(file);
    const stores = openStores.get(this.#file) ?? new Set();
    openStores.set(this.#file, stores.add(this.ofStore));
  }

  /** Tells the other stores that new events are in the file. */
  announceToOthers(): void {
    for (const changes of openStores.get(this.#file) ?? []) if (changes !== this.ofStore) changes.announce();
  }

  leave(): void {
    const stores = openStores.get(this.#file);
    stores?.delete(this.ofStore);
    if (stores?.size === 0) openStores.delete(this.#file);
  }
}
