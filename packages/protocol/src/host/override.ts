/**
 * Returns an object with the members of `target`, some of them replaced with those in `members`. Methods run on `target` itself, so class
 * instances can be wrapped, too. Members that are added to the type later are forwarded without changes at the call sites.
 *
 * @example
 * const quiet = override(conversation, { close: async () => {} });
 */
export function override<T extends object>(target: T, members: Partial<T>): T {
  const read = (key: PropertyKey): unknown => {
    if (Object.hasOwn(members, key)) return Reflect.get(members, key);
    const value: unknown = Reflect.get(target, key);
    return typeof value === "function" ? value.bind(target) : value;
  };
  return new Proxy({} as T, {
    get: (_target, key) => read(key),
    has: (_target, key) => key in members || key in target,
    ownKeys: () => [...new Set([...Reflect.ownKeys(target), ...Reflect.ownKeys(members)])],
    getOwnPropertyDescriptor(_target, key) {
      const isOwn = Object.hasOwn(members, key) || Object.hasOwn(target, key);
      return isOwn ? { value: read(key), enumerable: true, configurable: true, writable: true } : undefined;
    },
  });
}
