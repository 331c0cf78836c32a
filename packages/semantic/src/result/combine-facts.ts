/** Combines aggregated facts on their keys. NULL keys are one group, even if they come from several facts. */

import type { FactPart } from "../facts/fact-part.ts";
import { computedColumn, namedRelation, selectFrom, sqlAggregate, sqlLiteral } from "../ir/build-expression.ts";
import type { NamedRelation, SelectedColumn, SelectRelation, SqlExpression } from "../ir/sql-expression.ts";

export interface CombinedFacts {
  readonly name: string;
  readonly relations: readonly NamedRelation[];
  readonly keys: readonly SelectedColumn[];
  readonly measures: readonly SelectedColumn[];
}

export function combineFacts(parts: readonly FactPart[]): CombinedFacts {
  const [only, ...others] = parts;
  const measures = parts.flatMap((part) => part.measures);
  const keys = only?.keys ?? [];
  if (only && others.length === 0) return { name: only.name, relations: [], keys, measures };
  const name = "combined";
  const union = parts.map((part) => selectPart(part, parts, keys, measures));
  const groups = keys.map((key) => ({ name: key.name, expression: computedColumn("u", key.name, key.expression) }));
  const relation = selectFrom(
    { relation: { kind: "union", parts: union }, alias: "u" },
    [
      ...groups,
      ...measures.map((each) => ({
        name: each.name,
        expression: sqlAggregate("max", computedColumn("u", each.name, each.expression)),
      })),
    ],
    { groupBy: groups.map(({ expression }) => expression) },
  );
  return { name, relations: [{ name, relation }], keys, measures };
}

/** Selects the columns of one part, and NULL for the measures of the others. */
function selectPart(
  part: FactPart,
  parts: readonly FactPart[],
  keys: readonly SelectedColumn[],
  measures: readonly SelectedColumn[],
): SelectRelation {
  const own = new Set(part.measures.map(({ name }) => name));
  const column = ({ name, expression }: SelectedColumn) => ({
    name,
    expression: computedColumn("f", name, expression),
  });
  return selectFrom(namedRelation(part.name, "f"), [
    ...keys.map(column),
    ...measures.map((each) =>
      own.has(each.name) ? column(each) : { name: each.name, expression: missing(each, parts) },
    ),
  ]);
}

/** Writes NULL with the type of the measure. An unknown type is taken from the measure itself. */
function missing({ name, expression }: SelectedColumn, parts: readonly FactPart[]): SqlExpression {
  const owner = parts.find((part) => part.measures.some((each) => each.name === name));
  if (expression.type !== "unknown" || !owner) return sqlLiteral(null, expression.type, expression.scale);
  const select = selectFrom(
    namedRelation(owner.name, "o"),
    [{ name, expression: computedColumn("o", name, expression) }],
    {
      where: [sqlLiteral("false", "boolean")],
    },
  );
  return { kind: "scalar", select, type: expression.type };
}
