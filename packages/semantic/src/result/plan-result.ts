/** Plans the outermost part of a statement: formulas, filters after the aggregation, order and limits. */

import { namesInExpression } from "../expressions/names-in-expression.ts";
import {
  allOf,
  anyOf,
  computedColumn,
  namedRelation,
  selectFrom,
  shownText,
  sqlBinary,
  sqlLiteral,
} from "../ir/build-expression.ts";
import type {
  AliasedRelation,
  SelectedColumn,
  SelectRelation,
  SqlExpression,
  SqlOrder,
  SqlWindow,
} from "../ir/sql-expression.ts";
import { requireBoolean } from "../ir/type-rules.ts";
import type { MetricFilter } from "../models/model-schema.ts";
import { bindCondition } from "../plan/bind-condition.ts";
import { bindExpression } from "../plan/bind-expression.ts";
import type { FormulaColumns, MetricFormula } from "../plan/formula.ts";
import type { PlanContext } from "../plan/plan-context.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import { refuseUnknown } from "../refusals/unknown-name.ts";
import type { CombinedFacts } from "./combine-facts.ts";
import type { MetricColumn } from "./result-columns.ts";

/** A measure of the query. A hidden measure is needed only by a filter or the order. */
export interface RequestedMeasure {
  /** The measure's column within the statement. */
  readonly column: string;
  readonly alias: string;
  readonly source: string;
  readonly formula: MetricFormula;
  readonly isHidden: boolean;
}

export interface PlannedResult {
  readonly body: SelectRelation;
  readonly columns: readonly MetricColumn[];
}

const resultAlias = "r";

export class ResultPlanner {
  readonly #context: PlanContext;
  readonly #measures: readonly RequestedMeasure[];
  readonly #inner: readonly SelectedColumn[];
  readonly #source: AliasedRelation;
  readonly #where: readonly SqlExpression[];

  constructor(
    context: PlanContext,
    combined: CombinedFacts,
    measures: readonly RequestedMeasure[],
    columns: FormulaColumns,
    where: readonly SqlExpression[],
  ) {
    this.#where = where;
    this.#context = context;
    this.#measures = measures;
    this.#source = namedRelation(combined.name, "c");
    const keys = context.keys.map((key, index) => {
      const stored = combined.keys[index]?.expression ?? { type: "unknown" as const };
      return { name: key.column, expression: computedColumn("c", key.column, stored) };
    });
    this.#inner = [
      ...keys,
      ...measures.map(({ column, formula }) => ({ name: column, expression: rounded(formula.write(columns)) })),
    ];
  }

  plan(): PlannedResult {
    const { query } = this.#context;
    const having = (query.having ?? []).map((filter) => this.#having(filter));
    const order = this.#order();
    const inner = this.#limited(selectFrom(this.#source, this.#inner, { where: this.#where }), having, order);
    const keepsTies = this.#ranks;
    const shown = this.#shown();
    const rank = sqlBinary(
      "<=",
      computedColumn(resultAlias, "rank", { type: "integer" }),
      sqlLiteral(String(query.limit ?? 0), "integer"),
    );
    const body = selectFrom(
      { relation: inner, alias: resultAlias },
      shown.map(({ name, expression }) => ({ name, expression })),
      {
        where: keepsTies ? [rank] : having,
        orderBy: order,
        limit: keepsTies ? undefined : query.limit,
      },
    );
    return { body, columns: shown.map(({ column }) => column) };
  }

  get #ranks(): boolean {
    const { limit, limitPer, ties } = this.#context.query;
    if (limitPer !== undefined && limit === undefined)
      refuseMetric("invalid_query", "limitPer has no limit. Add limit.");
    return limit !== undefined && (limitPer !== undefined || ties === "keep");
  }

  /** Adds the rank of each row among the rows that the filters keep. */
  #limited(relation: SelectRelation, having: readonly SqlExpression[], order: readonly SqlOrder[]): SelectRelation {
    if (!this.#ranks) return relation;
    const { limitPer = [], ties, orderBy = [] } = this.#context.query;
    if (orderBy.length === 0)
      refuseMetric("invalid_query", "A limit with ties or for each group needs orderBy. Add it.");
    const isCut = ties === "cut";
    const rank: SqlWindow = {
      kind: "window",
      name: isCut ? "row_number" : "rank",
      type: "integer",
      partition: limitPer.map((name) => this.#column(name)),
      order: isCut ? order : order.slice(0, orderBy.length),
    };
    const columns = this.#inner.map(({ name, expression }) => ({
      name,
      expression: computedColumn(resultAlias, name, expression),
    }));
    return selectFrom({ relation, alias: resultAlias }, [...columns, { name: "rank", expression: rank }], {
      where: having,
    });
  }

  #shown() {
    const { keys } = this.#context;
    const ofKeys = keys.map((key) => {
      const expression = this.#inner.find(({ name }) => name === key.column)?.expression ?? sqlLiteral(null, "unknown");
      const source = key.field ?? JSON.stringify(key.time);
      return this.#shownColumn(key.column, key.alias, expression, { kind: "dimension", source });
    });
    const ofMeasures = this.#measures
      .filter(({ isHidden }) => !isHidden)
      .map(({ column, alias, source }) => {
        const expression = this.#inner.find(({ name }) => name === column)?.expression ?? sqlLiteral(null, "unknown");
        return this.#shownColumn(column, alias, expression, { kind: "measure", source });
      });
    return [...ofKeys, ...ofMeasures];
  }

  #shownColumn(column: string, name: string, expression: SqlExpression, about: Pick<MetricColumn, "kind" | "source">) {
    const { type, scale } = expression;
    const shown: MetricColumn = { name, ...about, type, scale };
    return { name, expression: shownText(computedColumn(resultAlias, column, expression)), column: shown };
  }

  /** Returns the query's order, followed by the order of the keys, so that ties have a fixed order. */
  #order(): readonly SqlOrder[] {
    const wanted = (this.#context.query.orderBy ?? []).map((entry): SqlOrder => {
      const { field, descending = false } = typeof entry === "string" ? parseOrder(entry) : entry;
      return { by: this.#column(field), descending };
    });
    const keys = this.#context.keys.map(({ column }): SqlOrder => ({ by: this.#inColumn(column), descending: false }));
    return [
      ...wanted,
      ...keys.filter((key) => !wanted.some(({ by }) => JSON.stringify(by) === JSON.stringify(key.by))),
    ];
  }

  #inColumn(name: string): SqlExpression {
    const found = this.#inner.find((each) => each.name === name)?.expression;
    return computedColumn(resultAlias, name, found ?? { type: "unknown" });
  }

  /** Returns a column of the result by its name, or by the field or measure that it shows. */
  #column(name: string): SqlExpression {
    const { keys } = this.#context;
    const [key, otherKey] = keys.filter((each) => each.alias === name || each.field === name);
    if (key && otherKey)
      refuseMetric("ambiguous_name", `"${name}" is in the result twice. Write the name of the column.`);
    if (key) return this.#inColumn(key.column);
    const measure = this.#measures.find((each) => each.alias === name || each.source === name);
    if (measure) return this.#inColumn(measure.column);
    const names = [...keys.map(({ alias }) => alias), ...this.#measures.map(({ alias }) => alias)];
    return refuseUnknown("column of the result", name, names);
  }

  #having(filter: MetricFilter): SqlExpression {
    if (typeof filter === "string") {
      const parsed = this.#context.models.parse(filter);
      return requireBoolean(bindExpression(parsed, (path) => this.#column(path.join("."))));
    }
    if ("or" in filter) return anyOf(filter.or.map((each) => this.#having(each)));
    if ("and" in filter) return allOf(filter.and.map((each) => this.#having(each)));
    if ("segment" in filter)
      return refuseMetric("invalid_query", "A segment is a filter of rows. Write it into filters.");
    return bindCondition(filter, this.#column(filter.field));
  }
}

/** Parses an order. `-revenue` is descending. */
function parseOrder(entry: string): { field: string; descending?: boolean } {
  return entry.startsWith("-") ? { field: entry.slice(1), descending: true } : { field: entry };
}

/** On engines that compute decimals with doubles, rounds the result to the digits of its decimal. */
function rounded(expression: SqlExpression): SqlExpression {
  const { type, scale } = expression;
  if (type !== "decimal" || scale === undefined) return expression;
  return {
    kind: "call",
    name: "decimal_result",
    args: [expression, sqlLiteral(String(scale), "integer")],
    type,
    scale,
  };
}

/** Returns the names that filters after the aggregation and the order use. */
export function namesAfterAggregation({ models, query }: PlanContext): readonly string[] {
  const inFilter = (filter: MetricFilter): readonly string[] => {
    if (typeof filter === "string") return namesInExpression(models.parse(filter)).map((path) => path.join("."));
    if ("or" in filter) return filter.or.flatMap(inFilter);
    if ("and" in filter) return filter.and.flatMap(inFilter);
    return "segment" in filter ? [] : [filter.field];
  };
  const order = (query.orderBy ?? []).map((entry) =>
    typeof entry === "string" ? parseOrder(entry).field : entry.field,
  );
  return [...(query.having ?? []).flatMap(inFilter), ...order];
}
