/** Returns the result of `work`, or undefined if it throws, because files may be missing, unreadable or damaged. */
export function tryTo<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
