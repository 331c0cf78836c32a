/** The keys of `T` that may have the value `undefined`. */
type UndefinedKeys<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T];

/** `T` with each key that may be `undefined` made optional, and `undefined` removed from its values. */
export type WithoutUndefined<T> = {
  [K in keyof T as K extends UndefinedKeys<T> ? never : K]: T[K];
} & { [K in keyof T as K extends UndefinedKeys<T> ? K : never]?: Exclude<T[K], undefined> } extends infer Both
  ? { [K in keyof Both]: Both[K] }
  : never;

/**
 * Copies an object without the keys that are `undefined`, for objects that are stored, compared or sent. Function options accept
 * `undefined`, so they need no such copy.
 *
 * @example
 * omitUndefined({ model: "sonnet", role: undefined }); // { model: "sonnet" }
 */
export function omitUndefined<T extends object>(object: T): WithoutUndefined<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as WithoutUndefined<T>;
}
