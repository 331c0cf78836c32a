/** A part of an agent file that is in another file. */
import type { YamlFile } from "@bridle/project";

/** Returns the agent file with `included` at `path`. `from` is the path of that content in its own file. */
export function includeYaml<T>(
  file: YamlFile<T>,
  included: YamlFile<unknown>,
  path: readonly PropertyKey[],
  from: readonly PropertyKey[] = [],
): YamlFile<T> {
  const place = <V>(outer: Readonly<Record<string, V>>, inner: Readonly<Record<string, V>>) => ({
    ...outer,
    ...movePaths(inner, from.join("."), path.join(".")),
  });
  const isValid = file.value !== undefined && included.value !== undefined;
  return {
    ...(isValid && { value: setValueAt(file.value, path, valueAt(included.value, from)) as T }), // its own schema has checked it
    raw: setValueAt(file.raw, path, valueAt(included.raw, from)),
    problems: [...file.problems, ...included.problems],
    values: [...file.values, ...included.values],
    positions: place(file.positions, included.positions),
    written: place(file.written, included.written),
    absent: place(file.absent, included.absent),
    at(wanted) {
      const isIncluded = wanted.length > path.length && path.every((key, index) => key === wanted[index]);
      return isIncluded ? included.at([...from, ...wanted.slice(path.length)]) : file.at(wanted);
    },
  };
}

function movePaths<V>(byPath: Readonly<Record<string, V>>, from: string, to: string): Record<string, V> {
  const prefix = from === "" ? "" : `${from}.`;
  return Object.fromEntries(
    Object.entries(byPath).flatMap(([path, value]) =>
      path !== "" && path.startsWith(prefix) ? [[`${to}.${path.slice(prefix.length)}`, value] as const] : [],
    ),
  );
}

function valueAt(holder: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
    holder,
  );
}

/** Returns a copy of a value, changed at a path. */
export function setValueAt(holder: unknown, [key, ...rest]: readonly PropertyKey[], value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(holder)) return holder.map((each, index) => (index === key ? setValueAt(each, rest, value) : each));
  const inner: unknown = typeof holder === "object" && holder !== null ? Reflect.get(holder, key) : undefined;
  return { ...(typeof holder === "object" ? holder : {}), [key]: setValueAt(inner, rest, value) };
}
