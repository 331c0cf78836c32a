/** Removes the paths that something else replaces from values by path. */
export function without<T>(
  byPath: Readonly<Record<string, T>>,
  isReplaced: (path: string) => boolean,
): Record<string, T> {
  return Object.fromEntries(Object.entries(byPath).filter(([path]) => !isReplaced(path)));
}
