/** The expressions that random models contain, each computed without SQL. */
import type { World, WorldModel, WorldRow } from "../random-world.ts";
import { functionsOfRows, type ReadColumn } from "./naive-functions.ts";
import { followStep, stepsFrom } from "./naive-paths.ts";
import { calculate, compareValues, exact, isNumber, type NaiveValue, toDouble } from "./naive-values.ts";

const isMore = (value: NaiveValue, than: number) => isNumber(value) && toDouble(value) > than;

const computed: Readonly<Record<string, (read: ReadColumn, zone: string | undefined) => NaiveValue>> = {
  ...Object.fromEntries(functionsOfRows.map(({ source, compute }) => [source, compute])),
  "amount * qty": (read) => calculate("*", read("amount"), read("qty")),
  "amount - coalesce(fee, 0)": (read) => calculate("-", read("amount"), read("fee") ?? exact(0)),
  "coalesce(qty, 0) + 1": (read) => calculate("+", read("qty") ?? exact(0), exact(1)),
  "CASE WHEN flag THEN amount ELSE 0 END": (read) => (read("flag") === true ? read("amount") : exact(0)),
  "CASE WHEN qty > 3 THEN 'many' WHEN amount IS NULL THEN '' END": (read) =>
    isMore(read("qty"), 3) ? "many" : read("amount") === null ? "" : null,
  "CASE WHEN size > 2 THEN 'large' ELSE 'small' END": (read) => (isMore(read("size"), 2) ? "large" : "small"),
  "coalesce(label, '')": (read) => read("label") ?? "",
  "month(day)": (read) => (read("day") === null ? null : exact(Number(String(read("day")).slice(5, 7)))),
  "-amount": (read) => calculate("-", exact(0), read("amount")),
  "abs(amount)": (read) => {
    const amount = read("amount");
    return amount !== null && compareValues(amount, exact(0)) < 0 ? calculate("-", exact(0), amount) : amount;
  },
};

export const measureExpressions = [
  "amount * qty",
  "amount - coalesce(fee, 0)",
  "coalesce(qty, 0) + 1",
  "-amount",
  "abs(amount)",
  "CASE WHEN flag THEN amount ELSE 0 END",
];

/**
 * Computes an expression. Names are columns of this model or behind its joins: `qty`, `customer.size`, `qty * customer.size`. Moments stay
 * in UTC.
 */
export function computeExpression(
  world: World,
  model: WorldModel,
  row: WorldRow,
  source: string,
  zone: string | undefined,
): NaiveValue {
  const read = (name: string) => readColumn(world, model.name, row, name.split("."));
  const found = computed[source];
  if (found) return found(read, zone);
  const [left = "", right] = source.split(" * ");
  return right === undefined ? read(left) : calculate("*", read(left), read(right));
}

function readColumn(world: World, model: string, row: WorldRow | null, path: readonly string[]): NaiveValue {
  const [first = "", ...rest] = path;
  if (row === null) return null;
  if (rest.length === 0) return row[first] ?? null;
  const step = stepsFrom(world, model).find(({ name }) => name === first);
  if (!step) throw new Error(`${model} has no join ${first}.`);
  return readColumn(world, step.to, followStep(world, row, step)[0] ?? null, rest);
}

/** Computes a dimension, or an expression in a filter, which is NULL for a row that a join did not find. */
export function dimensionOf(
  world: World,
  model: WorldModel,
  row: WorldRow | null,
  name: string,
  zone: string | undefined,
): NaiveValue {
  const dimension = model.dimensions.find((each) => each.name === name);
  return row === null ? null : computeExpression(world, model, row, dimension?.expr ?? name, zone);
}
