/** Statements that count the rows of a join's "one" side, for conditions that no key decides. */
import { columnsByAlias } from "../dialects/expression-forms.ts";
import type { MetricDialectId } from "../dialects/metric-dialect.ts";
import { metricDialects } from "../dialects/registry.ts";
import { writeStatement } from "../dialects/write-statement.ts";
import { computedColumn, exactOrder, selectFrom, sqlAggregate, sqlBinary, sqlLiteral } from "../ir/build-expression.ts";
import type { SelectRelation } from "../ir/sql-expression.ts";
import type { JoinEdge } from "../models/join-edge.ts";
import type { ModelSet } from "../models/model-set.ts";
import { rowsOfModel, writeCondition } from "../plan/join-tree.ts";
import { modelColumn } from "../plan/model-column.ts";
import { MetricRefusalError, refuseMetric } from "../refusals/metric-refusal.ts";
import { refuseUnknown } from "../refusals/unknown-name.ts";
import type { RefusedQuery } from "./compile-metric-query.ts";

export interface CompiledJoinCheck {
  readonly kind: "compiled";
  /** Each returns one row with one number: how many keys of one side have more than one row of the other. Right is 0. */
  readonly statements: readonly string[];
}

/** Compiles what counts whether a declared join is as its relationship says, also if its condition is an expression. */
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
    const statements = directions[edge.cardinality].map((direction) => {
      const body = countSeveral(models, edge, direction === "forward");
      return writeStatement({ relations: [], body }, metricDialects[dialect]);
    });
    return { kind: "compiled", statements };
  } catch (error) {
    if (error instanceof MetricRefusalError) return { kind: "refused", refusal: error.refusal };
    throw error;
  }
}

/** Forward: how many keys of `from` have more than one row of `to`. */
function countSeveral(models: ModelSet, edge: JoinEdge, isForward: boolean): SelectRelation {
  const [near, far] = isForward ? ["a", "b"] : ["b", "a"];
  const on = writeCondition(models, edge, "a", "b");
  const names = [...(columnsByAlias(on).get(near) ?? [])];
  const owner = models.model(isForward ? edge.from : edge.to);
  if (names.length === 0) {
    const why = `The condition of the join ${edge.declaredAs} names no column of ${owner.name}.`;
    refuseMetric("invalid_expression", `${why} Correct it.`);
  }
  const columns = names.map((name) => ({ name, expression: exactOrder(modelColumn(models, owner, "n", name)) }));
  const keys = selectFrom({ relation: rowsOfModel(owner), alias: "n" }, columns, { isDistinct: true });
  const other = models.model(isForward ? edge.to : edge.from);
  const rows = sqlAggregate("count", undefined);
  const counts = selectFrom({ relation: keys, alias: near }, [{ name: "n", expression: rows }], {
    joins: [{ relation: rowsOfModel(other), alias: far, join: "inner", on }],
    groupBy: columns.map(({ name, expression }) => computedColumn(near, name, expression)),
  });
  const isSeveral = sqlBinary(">", computedColumn("g", "n", rows), sqlLiteral("1", "integer"));
  return selectFrom({ relation: counts, alias: "g" }, [{ name: "n", expression: rows }], { where: [isSeveral] });
}
