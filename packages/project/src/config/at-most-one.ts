import type { z } from "zod";

/** Refuses a mapping that has keys of more than one of the groups: ways to do the same, of which one has to be chosen. */
export function atMostOne(groups: readonly (readonly string[])[]): z.core.CheckFn<object> {
  return ({ value, issues }) => {
    const [first, second] = groups.flatMap((keys) => keys.find((key) => Reflect.get(value, key) !== undefined) ?? []);
    if (first === undefined || second === undefined) return;
    issues.push({ code: "custom", input: value, path: [second], message: `cannot stand beside ${first}. Keep one.` });
  };
}
