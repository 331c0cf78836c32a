/** Changes state before an event is written, and undoes the change if the write fails. */

/** Runs `work` for each entry, even if it throws for some. */
export function forEachOf<T>(
  map: ReadonlyMap<string, T>,
  work: (key: string, value: T) => void,
  failed: (key: string, error: unknown) => void,
): void {
  for (const [key, value] of [...map]) {
    try {
      work(key, value);
    } catch (error) {
      failed(key, error);
    }
  }
}

/** Runs `work`, and `undo` if it throws. */
export function undoing(work: () => unknown, undo: () => unknown): void {
  try {
    work();
  } catch (error) {
    undo();
    throw error;
  }
}

/** Restores the value of a field, or deletes the field if it had none. */
export function setOrDelete<T extends object, K extends keyof T>(holder: T, key: K, value: T[K] | undefined): void {
  if (value === undefined) delete holder[key];
  else holder[key] = value;
}
