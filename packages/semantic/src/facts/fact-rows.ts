/** Plans the rows that a fact aggregates, with keys and the inputs of measures. Each row of the model occurs once for each group. */
import { allOf, computedColumn, exactOrder, sqlBinary, sqlLiteral } from "../ir/build-expression.ts";
import type { SelectedColumn, SelectRelation, SqlExpression } from "../ir/sql-expression.ts";
import type { MetricFilter, SemanticModel } from "../models/model-schema.ts";
import { bindKey, keyField, keyPath } from "../plan/bind-key.ts";
import { fieldsOfFilter, type ScopedFilter } from "../plan/fields.ts";
import { FilterPlanner } from "../plan/filter-planner.ts";
import { JoinTree } from "../plan/join-tree.ts";
import type { PlanContext } from "../plan/plan-context.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import type { FactLeaf, MeasureFact } from "./fact.ts";
import { innerWhereRequired } from "./inner-joins.ts";
import { bindMeasureInput } from "./measure-input.ts";
import { MovedRows } from "./moved-rows.ts";

export interface FactRows {
  readonly select: SelectRelation;
  readonly keys: readonly SelectedColumn[];
  /** The inputs of measures by column. A measure that counts rows has no input. */
  readonly inputs: ReadonlyMap<string, SqlExpression>;
  /** Further columns by name. */
  readonly extra: ReadonlyMap<string, SqlExpression>;
  /** Whether a row of the model may be in several groups. */
  readonly isMultiplied: boolean;
}

export class FactRowsPlanner {
  readonly tree: JoinTree;
  readonly #context: PlanContext;
  readonly #fact: MeasureFact;
  readonly #filters: FilterPlanner;
  readonly #moved: MovedRows | undefined;
  readonly #keys: readonly SelectedColumn[];
  readonly #extra = new Map<string, SqlExpression>();

  constructor(context: PlanContext, fact: MeasureFact) {
    this.#context = context;
    this.#fact = fact;
    this.tree = new JoinTree(context.models, fact.model.name, context.aliases);
    this.#filters = new FilterPlanner(context.models, this.tree);
    this.#moved = MovedRows.of(context, fact);
    this.#keys = context.keys.map((key) => this.#key(key));
  }

  /** Adds a column that is neither a key nor the input of a measure. */
  addExtra(name: string, expression: SqlExpression): void {
    this.#extra.set(name, expression);
  }

  /** Plans the rows that match the query's and the metric's filters. */
  plan(queryFilters: readonly MetricFilter[]): FactRows {
    const { leaves, filters, model } = this.#fact;
    const where = [
      ...queryFilters.map((filter) => this.#queryCondition(filter)),
      ...filters.map((filter) => this.#condition(filter)),
      ...this.#within(),
    ];
    const inputs = leaves.flatMap((each): readonly (readonly [string, SqlExpression])[] => {
      const input = this.#input(each);
      return input ? [[each.column, input]] : [];
    });
    const isMultiplied = this.tree.multipliesRows;
    const columns = [
      ...this.#keys,
      ...inputs.map(([column, expression]) => ({ name: inputName(column), expression })),
      ...[...this.#extra].map(([name, expression]) => ({ name, expression })),
      ...(isMultiplied ? primaryKeyOf(this.#context, model, this.tree) : []),
    ];
    for (const each of this.#filters.assumptions) this.#context.assumptions.add(each);
    const select: SelectRelation = {
      kind: "select",
      isDistinct: isMultiplied,
      columns: columns.length > 0 ? columns : [{ name: "one", expression: sqlLiteral("1", "integer") }],
      from: this.tree.from,
      joins: innerWhereRequired(this.tree.joins, where),
      where,
    };
    return { select, keys: this.#keys, inputs: new Map(inputs), extra: this.#extra, isMultiplied };
  }

  #key(key: PlanContext["keys"][number]): SelectedColumn {
    const first = this.#fact.leaves[0];
    const field = first ? keyField(key, first.leaf) : (key.field ?? "");
    const path = keyPath(this.#context, this.#fact.model.name, field);
    return { name: key.column, expression: exactOrder(bindKey(this.#context, key, path, this.tree, this.#moved)) };
  }

  /** Returns conditions that leave out rows in periods outside the result. */
  #within(): readonly SqlExpression[] {
    const { within } = this.#context;
    const [first] = this.#fact.leaves;
    const moved = this.#moved?.withinSpine(this.tree) ?? [];
    if (!within || !first) return moved;
    const path = keyPath(this.#context, this.#fact.model.name, keyField(within.key, first.leaf));
    const period = bindKey(this.#context, within.key, path, this.tree, this.#moved);
    return [...moved, sqlBinary(">=", period, within.first), sqlBinary("<=", period, within.last)];
  }

  #queryCondition(filter: MetricFilter): SqlExpression {
    const fields = fieldsOfFilter(this.#context, this.#fact.model.name, undefined);
    return this.#filters.plan(filter, this.#moved?.movedFields(fields) ?? fields);
  }

  #condition({ filter, model }: ScopedFilter): SqlExpression {
    return this.#filters.plan(filter, fieldsOfFilter(this.#context, this.#fact.model.name, model));
  }

  /** Returns the input of a measure. The measure's filters set the input to NULL and keep the row. */
  #input({ leaf }: FactLeaf): SqlExpression | undefined {
    const filters = leaf.measure.filters ?? [];
    const conditions = filters.map((filter) => this.#condition({ filter, model: leaf.model.name }));
    const condition = conditions.length > 0 ? allOf(conditions) : undefined;
    return bindMeasureInput(this.#context.models, this.tree, leaf, condition, this.#context.zone);
  }
}

/** Returns the columns that identify a row of the model, so that each row counts once for each group. */
export function primaryKeyOf(context: PlanContext, model: SemanticModel, tree: JoinTree): readonly SelectedColumn[] {
  const columns = model.primary_key ?? [];
  if (columns.length === 0) {
    const why = `Rows of ${model.name} must count once for each group, and it declares no primary_key.`;
    refuseMetric("missing_key", `${why} Declare it, or leave the to-many dimension out.`);
  }
  const wrong = context.models.facts.violations?.find((each) => each.model === model.name && each.join === undefined);
  if (wrong) {
    const why = `The primary key of ${model.name} is not unique: ${wrong.keys} keys occur more than once or are NULL.`;
    refuseMetric("wrong_key", `${why} Correct the model.`);
  }
  return columns.map((name, index) => ({ name: `p${index}`, expression: exactOrder(tree.column([], name)) }));
}

export function inputName(column: string): string {
  return `v${column.slice(1)}`;
}

/** Returns the input of a measure as a column of its rows. */
export function inputColumn(rows: FactRows, alias: string, column: string): SqlExpression | undefined {
  const input = rows.inputs.get(column);
  return input && computedColumn(alias, inputName(column), input);
}
