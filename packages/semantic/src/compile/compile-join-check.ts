/** Compiles statements that count the rows of a join's "one" side, for conditions that no key covers. */
import { columnsByAlias } from "../dialects/expression-forms.ts";
import type { MetricDialectId } from "../dialects/metric-dialect.ts";
import { metricDialects } from "../dialects/registry.ts";
import { writeStatement } from "../dialects/write-statement.ts";
import { namesInExpression } from "../expressions/names-in-expression.ts";
import {
  anyOf,
  computedColumn,
  exactOrder,
  selectFrom,
  sqlAggregate,
  sqlBinary,
  sqlLiteral,
} from "../ir/build-expression.ts";
import type { SelectRelation, SqlColumn, SqlExpression } from "../ir/sql-expression.ts";
import type { JoinEdge } from "../models/join-edge.ts";
import type { SemanticModel } from "../models/model-schema.ts";
import type { ModelSet } from "../models/model-set.ts";
import { AliasCounter, JoinTree, rowsOfModel, writeCondition } from "../plan/join-tree.ts";
import { modelColumn } from "../plan/model-column.ts";
import { MetricRefusalError, refuseMetric } from "../refusals/metric-refusal.ts";
import { refuseUnknown } from "../refusals/unknown-name.ts";
import type { RefusedQuery } from "./compile-metric-query.ts";

export interface CompiledJoinCheck {
  readonly kind: "compiled";
  /** Statements that each return one row with one number: how many keys have more than one row. The correct result is 0. */
  readonly statements: readonly string[];
}

/** Compiles statements that check a declared join against the data, even if its condition is an expression. */
export function compileJoinCheck(
  models: ModelSet,
  model: string,
  join: string,
  dialect: MetricDialectId,
): CompiledJoinCheck | RefusedQuery {
  try {
    const edges = models.edgesFrom(model).filter(({ isDeclared }) => isDeclared);
    const names = edges.map(({ name }) => name);
    const edge = edges.find(({ name }) => name === join) ?? refuseUnknown(`join of ${model}`, join, names);
    const directions = {
      many_to_one: ["forward"],
      one_to_one: ["forward", "backward"],
      to_many: ["backward"],
    } as const;
    // A query cannot follow a join backwards if its condition uses columns behind another join.
    const counted = directions[edge.cardinality].filter((each) => each === "forward" || !isBehindJoin(edge));
    const statements = counted.map((direction) => {
      const body = countSeveral(models, edge, direction === "forward");
      return writeStatement({ relations: [], body }, metricDialects[dialect]);
    });
    return { kind: "compiled", statements };
  } catch (error) {
    if (error instanceof MetricRefusalError) return { kind: "refused", refusal: error.refusal };
    throw error;
  }
}

/**
 * Compiles a check that columns are a key. The check counts the values that occur more than once, and compares strings by their characters.
 * In a primary key, NULL counts as a fault, too. Elsewhere, NULL matches nothing.
 */
export function compileKeyCheck(
  models: ModelSet,
  {
    model: name,
    columns,
    isPrimary,
  }: { readonly model: string; readonly columns: readonly string[]; readonly isPrimary: boolean },
  dialect: MetricDialectId,
): CompiledJoinCheck | RefusedQuery {
  try {
    const body = countRepeated(models, models.model(name), columns, isPrimary);
    return { kind: "compiled", statements: [writeStatement({ relations: [], body }, metricDialects[dialect])] };
  } catch (error) {
    if (error instanceof MetricRefusalError) return { kind: "refused", refusal: error.refusal };
    throw error;
  }
}

function countRepeated(models: ModelSet, model: SemanticModel, names: readonly string[], isPrimary: boolean) {
  const columns = [...new Set(names)].map((name, index) => ({
    name: `k${index}`,
    expression: exactOrder(modelColumn(models, model, "t", name)),
  }));
  const isNull = (operand: SqlExpression, isNegated: boolean): SqlExpression => ({
    kind: "is_null",
    operand,
    isNegated,
    type: "boolean",
  });
  const rows = sqlAggregate("count", undefined);
  const counts = selectFrom(
    { relation: rowsOfModel(model), alias: "t" },
    [...columns, { name: "n", expression: rows }],
    {
      where: isPrimary ? [] : columns.map(({ expression }) => isNull(expression, true)),
      groupBy: columns.map(({ expression }) => expression),
    },
  );
  const isSeveral = sqlBinary(">", computedColumn("g", "n", rows), sqlLiteral("1", "integer"));
  const nulls = columns.map(({ name, expression }) => isNull(computedColumn("g", name, expression), false));
  const isWrong = isPrimary ? anyOf([isSeveral, ...nulls]) : isSeveral;
  return selectFrom({ relation: counts, alias: "g" }, [{ name: "n", expression: rows }], { where: [isWrong] });
}

/** Whether a condition uses a column behind another join, as in `{from}.join.column`. */
function isBehindJoin({ condition }: JoinEdge): boolean {
  return condition.kind === "expression" && namesInExpression(condition.expression).some(({ length }) => length > 2);
}

/** Counts how many keys of `from` have more than one row of `to`, or the reverse if `isForward` is false. */
function countSeveral(models: ModelSet, edge: JoinEdge, isForward: boolean): SelectRelation {
  const [near, far] = isForward ? ["a", "b"] : ["b", "a"];
  const keys = new KeysOfJoin(models, isForward ? edge.from : edge.to);
  const on = writeCondition(models, edge, "a", "b", isForward ? keys.behind(near) : undefined);
  const names = [...(columnsByAlias(on).get(near) ?? [])];
  if (names.length === 0) {
    const why = `The condition of the join ${edge.declaredAs} names no column of ${isForward ? edge.from : edge.to}.`;
    refuseMetric("invalid_expression", `${why} Correct it.`);
  }
  const { relation, columns } = keys.select(names);
  const other = models.model(isForward ? edge.to : edge.from);
  const rows = sqlAggregate("count", undefined);
  const counts = selectFrom({ relation, alias: near }, [{ name: "n", expression: rows }], {
    joins: [{ relation: rowsOfModel(other), alias: far, join: "inner", on }],
    groupBy: columns.map(({ name, expression }) => computedColumn(near, name, expression)),
  });
  const isSeveral = sqlBinary(">", computedColumn("g", "n", rows), sqlLiteral("1", "integer"));
  return selectFrom({ relation: counts, alias: "g" }, [{ name: "n", expression: rows }], { where: [isSeveral] });
}

/** Selects the distinct values of one side of a condition, including columns behind its joins. */
class KeysOfJoin {
  readonly #tree: JoinTree;
  readonly #behind = new Map<string, SqlColumn>();

  constructor(models: ModelSet, model: string) {
    this.#tree = new JoinTree(models, model, new AliasCounter());
  }

  /** Returns a column behind a join as a column of the keys. */
  behind(alias: string): (join: JoinEdge, column: string) => SqlColumn {
    return (join, column) => {
      const name = `${join.name}.${column}`;
      const found = this.#tree.column([join], column);
      this.#behind.set(name, found);
      return { ...found, source: alias, name };
    };
  }

  select(names: readonly string[]) {
    const columns = names.map((name) => {
      return { name, expression: exactOrder(this.#behind.get(name) ?? this.#tree.column([], name)) };
    });
    const { from, joins } = this.#tree;
    return { columns, relation: selectFrom(from, columns, { joins, isDistinct: true }) };
  }
}
