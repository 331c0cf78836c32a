/** Plans groups that are in the result although no fact has a row for them. */

import type { FactPart } from "../facts/fact-part.ts";
import { cutConditions, type PeriodAxis, periodColumn } from "../facts/period-axis.ts";
import { computedColumn, namedRelation, selectFrom, sqlBinary } from "../ir/build-expression.ts";
import type { NamedRelation, SelectedColumn, SelectRelation, SqlExpression } from "../ir/sql-expression.ts";

/** Plans all periods for each combination of the other keys that any fact has, or all periods once. */
export function planFilledPeriods(parts: readonly FactPart[], axis: PeriodAxis, isOnce: boolean): FactPart {
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
  if (isOnce) return periodsWithoutRows(parts, axis, keys);
  const groups: NamedRelation = { name: "groups", relation: distinctGroups(parts, others) };
  const joins = [{ ...namedRelation("groups", "g"), join: "cross" as const }];
  return part(name, [groups], selectFrom(namedRelation("periods", "p"), shown, { joins, where }), shown);
}

/** Plans each period for which no fact has a row, without values of the other keys. */
function periodsWithoutRows(parts: readonly FactPart[], axis: PeriodAxis, keys: readonly SelectedColumn[]): FactPart {
  const period = periodColumn(axis);
  const times = keys.filter(({ name }) => name === axis.key.column);
  const found = computedColumn("g", axis.key.column, period);
  const shown = keys.map(({ name, expression: { type, scale } }): SelectedColumn => {
    const nothing: SqlExpression = { kind: "literal", value: null, type, scale };
    return { name, expression: name === axis.key.column ? period : nothing };
  });
  const groups: NamedRelation = { name: "groups", relation: distinctGroups(parts, times) };
  const joins = [{ ...namedRelation("groups", "g"), join: "left" as const, on: sqlBinary("=", found, period) }];
  const isMissing: SqlExpression = { kind: "is_null", operand: found, isNegated: false, type: "boolean" };
  const where = [...cutConditions(axis, period), isMissing];
  return part("filled", [groups], selectFrom(namedRelation("periods", "p"), shown, { joins, where }), shown);
}

/** Plans the groups of a dimension, with all periods if the query has periods. */
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
