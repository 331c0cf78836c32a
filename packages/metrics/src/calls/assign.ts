/**
 * Assigns calls to expectations, each call at most once and to as many expectations as possible: the largest matching of a
 * bipartite graph, by augmenting paths. `fitting` lists the calls that match each expectation. Returns the expectations with a call.
 */
export function assign(fitting: readonly (readonly number[])[]): ReadonlySet<number> {
  const holders = new Map<number, number>();
  fitting.forEach((_, expectation) => void assignCall(expectation, fitting, holders, new Set()));
  return new Set(holders.values());
}

/** Finds a call for an expectation, and moves other expectations to other calls if necessary. */
function assignCall(
  expectation: number,
  fitting: readonly (readonly number[])[],
  holders: Map<number, number>,
  tried: Set<number>,
): boolean {
  for (const call of fitting[expectation] ?? []) {
    if (tried.has(call)) continue;
    tried.add(call);
    const holder = holders.get(call);
    if (holder !== undefined && !assignCall(holder, fitting, holders, tried)) continue;
    holders.set(call, expectation);
    return true;
  }
  return false;
}
