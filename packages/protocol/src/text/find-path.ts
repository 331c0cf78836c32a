/** Finds the path of a value within another, such as `test_cases.0.evaluations.2.model`. Returns `undefined` if the value is not there. */
export function findPath(holder: unknown, wanted: object): string | undefined {
  if (typeof holder !== "object" || holder === null) return undefined;
  for (const [key, value] of Object.entries(holder)) {
    if (value === wanted) return key;
    const below = findPath(value, wanted);
    if (below !== undefined) return `${key}.${below}`;
  }
  return undefined;
}
