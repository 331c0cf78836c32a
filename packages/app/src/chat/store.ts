/** A value that changes, and whoever wants to know. */
export interface Store<T> {
  readonly value: T;
  update(change: (value: T) => T): void;
  subscribe(listener: () => void): void;
}

export function createStore<T>(first: T): Store<T> {
  let value = first;
  const listeners: (() => void)[] = [];
  return {
    get value() {
      return value;
    },
    update(change) {
      value = change(value);
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.push(listener);
    },
  };
}
