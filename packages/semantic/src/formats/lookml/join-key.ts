import type { LookmlJoin } from "./lookml-joins.ts";

/** Equal for joins that lead to the same view by the same name and condition. */
export function onOfKey({ alias, join: { to, on } }: LookmlJoin): string {
  const condition = typeof on === "string" ? on : on.map((pair) => pair.join("=")).toSorted();
  return JSON.stringify([alias, to, condition]);
}
