/** JSON with whole numbers of any length, because filters may contain them. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) => (typeof each === "bigint" ? String(each) : each));
}
