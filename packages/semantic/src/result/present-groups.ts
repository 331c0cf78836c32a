/** Groups that the result has although no fact has a row for them. */

import type { FactPart } from "../facts/fact-part.ts";
import { cutConditions, type PeriodAxis, periodColumn } from "../facts/period-axis.ts";
import { computedColumn, namedRelation, selectFrom } from "../ir/build-expression.ts";
import type { NamedRelation, SelectedColumn, SelectRelation } from "../ir/sql-expression.ts";

/** All periods for each combination of the other keys that any fact has. */
export function planFilledPeriods(parts: readonly FactPart[], axis: PeriodAxis): FactPart {
  const [first] = parts;
  const keys = first?.keys ?? [];
  const others = keys.filter(({ name }) => name !== axis.key.column);
  const period = periodColumn(axis);
  const shown = keys.map(({ name, expression }) => {
    return { name, expression: name === axis.key.column ? period : computedColumn("g", name, expression) };
  });
  const name = "filled";
  const where = cutConditions(axis, period);
  if (others.length === 0) return part(name, [], selectFrom(namedRelation("periods", "p"), shown, { where }), shown);
  const groups: NamedRelation = { name: "groups", relation: distinctGroups(parts, others) };
  const joins = [{ ...namedRelation("groups", "g"), join: "cross" as const }];
  return part(name, [groups], selectFrom(namedRelation("periods", "p"), shown, { joins, where }), shown);
}

/** The groups of a dimension, with all periods if the query has them. */
export function planEmptyGroups(
  groups: SelectRelation,
  keys: readonly SelectedColumn[],
  axis: PeriodAxis | undefined,
): FactPart {
  const inner: NamedRelation = { name: "empty", relation: groups };
  if (!axis) return { name: "empty", relations: [inner], keys, measures: [] };
  const period = periodColumn(axis);
  const shown = keys.map(({ name, expression }) => {
    return { name, expression: name === axis.key.column ? period : computedColumn("g", name, expression) };
  });
  const relation = selectFrom(namedRelation("periods", "p"), shown, {
    joins: [{ ...namedRelation("empty", "g"), join: "cross" }],
    where: cutConditions(axis, period),
  });
  return part("empty_periods", [inner], relation, shown);
}

function part(
  name: string,
  before: readonly NamedRelation[],
  relation: SelectRelation,
  keys: readonly SelectedColumn[],
): FactPart {
  return { name, relations: [...before, { name, relation }], keys, measures: [] };
}

function distinctGroups(parts: readonly FactPart[], others: readonly SelectedColumn[]): SelectRelation {
  const columns = (alias: string) =>
    others.map(({ name, expression }) => ({ name, expression: computedColumn(alias, name, expression) }));
  const union = parts.map(({ name }) => selectFrom(namedRelation(name, "f"), columns("f")));
  return selectFrom({ relation: { kind: "union", parts: union }, alias: "u" }, columns("u"), { isDistinct: true });
}
