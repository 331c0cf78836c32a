import type { MetricFormula } from "./formula.ts";
import type { Leaf } from "./leaf.ts";
import type { KeyRequest } from "./plan-context.ts";

/** Gives a metric its own date field on the time axes that name the metric. */
export function onAxes(formula: MetricFormula, names: readonly string[], keys: readonly KeyRequest[]): MetricFormula {
  const fields = keys.flatMap(({ column, time }) => {
    const field = names.map((name) => time?.[name]).find((each) => each !== undefined);
    return field === undefined ? [] : [[column, field] as const];
  });
  if (fields.length === 0) return formula;
  const times = Object.fromEntries(fields);
  const onTimes = (leaf: Leaf): Leaf => ({ ...leaf, times });
  return {
    leaves: formula.leaves.map(onTimes),
    write: (columns) => formula.write({ ...columns, leaf: (leaf) => columns.leaf(onTimes(leaf)) }),
  };
}
