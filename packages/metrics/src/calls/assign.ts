/**
 * Gives as many takers as possible one thing each, of those that fit them, and no thing twice: the largest matching of a
 * bipartite graph, by augmenting paths. Returns the takers that got one.
 */
export function assign(fitting: readonly (readonly number[])[]): ReadonlySet<number> {
  const takerOf = new Map<number, number>();

  function serve(taker: number, tried: Set<number>): boolean {
    for (const thing of fitting[taker] ?? []) {
      if (tried.has(thing)) continue;
      tried.add(thing);
      const other = takerOf.get(thing);
      if (other !== undefined && !serve(other, tried)) continue;
      takerOf.set(thing, taker);
      return true;
    }
    return false;
  }

  fitting.forEach((_, taker) => void serve(taker, new Set()));
  return new Set(takerOf.values());
}
