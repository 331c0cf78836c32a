/** Writes a value as JSON, with each bigint as a string, because filters may contain whole numbers of any length. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) => (typeof each === "bigint" ? String(each) : each));
}
