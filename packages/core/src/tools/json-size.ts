/** The maximum depth. Deeper values are refused when they become JSON. The limit also ends the walk through a cycle. */
const maxLevels = 256;

/**
 * Whether a value's JSON has more than this number of characters. Does not write the JSON and stops at the limit, so it takes little time
 * for values of any size. Escapes count as one character. A value with too many levels has no size, because it is refused when it becomes
 * JSON.
 */
export function isLargerThan(value: unknown, characters: number): boolean {
  const open: Iterator<unknown>[] = [[value].values()];
  let size = 0;
  for (let level = open.at(-1); level !== undefined && open.length <= maxLevels + 1; level = open.at(-1)) {
    const { done, value: member } = level.next();
    if (done) {
      open.pop();
      continue;
    }
    size += lengthOf(member);
    if (size > characters) return true;
    if (typeof member === "object" && member !== null) open.push(membersOf(member));
  }
  return false;
}

/** Returns the length of a value, at least one, so that many empty values are large, too. */
function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length + 2;
  if (ArrayBuffer.isView(value)) return value.byteLength * 2; // JSON has each byte as a number
  return 1;
}

function membersOf(value: object): Iterator<unknown> {
  if (Array.isArray(value)) return value.values();
  if (ArrayBuffer.isView(value)) return [].values();
  if ("toJSON" in value && typeof value.toJSON === "function") return [value.toJSON()].values();
  return keysAndValues(value);
}

function* keysAndValues(value: object): Generator<unknown> {
  for (const key of Object.keys(value)) {
    yield key;
    yield Reflect.get(value, key);
  }
}
