import type { JoinedRelation, SelectRelation, SqlExpression } from "../ir/sql-expression.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import { columnsByAlias, conjuncts } from "./expression-forms.ts";
import type { MetricDialect } from "./metric-dialect.ts";

/** Returns the SELECT with joins that the engine can compute, or refuses it. */
export function fitJoins(select: SelectRelation, { joins: rules, id }: MetricDialect): SelectRelation {
  if (!rules || !select.joins) return select;
  const moved: SqlExpression[] = [];
  const joins = select.joins.map((join): JoinedRelation => {
    if (join.on === undefined) return join;
    const equal = conjuncts(join.on).filter((condition) => isEquality(condition, join.alias));
    const isEqual = equal.length === conjuncts(join.on).length;
    const isEnough = isEqual || (equal.length > 0 && rules.conditions === "an equality");
    if (isEnough || (join.join === "inner" && rules.conditions === "an equality")) return join;
    if (join.join !== "inner") return refuseJoin(id, rules.conditions);
    moved.push(join.on);
    const { on: _, ...crossed } = join;
    return { ...crossed, join: "cross" };
  });
  return { ...select, joins, where: [...moved, ...(select.where ?? [])] };
}

/** Whether a column of the joined relation equals a column of another relation. */
function isEquality(condition: SqlExpression, alias: string): boolean {
  if (condition.kind !== "binary" || condition.operator !== "=") return false;
  const sides = [condition.left, condition.right].map((side) => [...columnsByAlias(side).keys()]);
  const joined = sides.filter((aliases) => aliases.length > 0 && aliases.every((each) => each === alias));
  const others = sides.filter((aliases) => aliases.length > 0 && !aliases.includes(alias));
  return joined.length === 1 && others.length === 1;
}

function refuseJoin(id: string, needed: string): never {
  const why = `A join has a condition other than equal columns, and ${id} needs ${needed} to keep rows without a match.`;
  return refuseMetric("unsupported", `${why} Store the key of the other table in a column.`);
}
