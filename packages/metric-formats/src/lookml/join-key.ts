import type { LookmlJoin } from "./lookml-joins.ts";

/** Returns a key that is equal for joins that lead to the same view under the same name and with the same condition. */
export function onOfKey({ alias, join: { to, on } }: LookmlJoin): string {
  const condition = typeof on === "string" ? on : on.map((pair) => pair.join("=")).toSorted();
  return JSON.stringify([alias, to, condition]);
}
