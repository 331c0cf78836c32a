/** Which kinds of call come again and again: a process for one of these is worth starting before it is asked for. */
export interface Demand {
  note(key: string): void;
  isRepeated(key: string): boolean;
}

/** Remembers so many kinds, those that were asked for last. */
const remembered = 32;

export function createDemand(): Demand {
  const calls = new Map<string, number>();
  return {
    note(key) {
      const before = calls.get(key) ?? 0;
      calls.delete(key);
      calls.set(key, before + 1);
      const [oldest] = calls.keys();
      if (calls.size > remembered && oldest !== undefined) calls.delete(oldest);
    },
    isRepeated: (key) => (calls.get(key) ?? 0) > 1,
  };
}
