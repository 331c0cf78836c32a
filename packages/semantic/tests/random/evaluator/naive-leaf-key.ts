import type { NaiveLeaf } from "./naive-leaves.ts";

/** Returns a key that is equal for leaves that share a column. */
export function keyOfLeaf({ model, measure, behaviour, filters }: NaiveLeaf): string {
  return JSON.stringify([model.name, measure.name, behaviour, filters], (_, value) =>
    typeof value === "bigint" ? String(value) : value,
  );
}
