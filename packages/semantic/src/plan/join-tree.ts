import { allOf } from "../ir/build-expression.ts";
import type { JoinedRelation, SqlColumn, SqlExpression, StoredTable, WrittenRows } from "../ir/sql-expression.ts";
import { requireBoolean } from "../ir/type-rules.ts";
import { type JoinEdge, pathKey } from "../models/join-edge.ts";
import type { SemanticModel } from "../models/model-schema.ts";
import type { ModelSet } from "../models/model-set.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import { bindBinary, bindExpression } from "./bind-expression.ts";
import { takeJoins } from "./field-path.ts";
import { modelColumn } from "./model-column.ts";

/** Gives each relation of a statement its own alias. */
export class AliasCounter {
  #count = 0;

  next(): string {
    this.#count += 1;
    return `t${this.#count}`;
  }
}

/** A model with the joins that a statement needs from it. Each join path is one node, and is joined once. */
export class JoinTree {
  readonly root: string;
  readonly rootAlias: string;
  readonly aliases: AliasCounter;
  readonly #models: ModelSet;
  readonly #nodes = new Map<string, { readonly alias: string; readonly joined: JoinedRelation }>();
  readonly #manyPaths: string[] = [];

  constructor(models: ModelSet, root: string, aliases: AliasCounter) {
    this.#models = models;
    this.root = root;
    this.aliases = aliases;
    this.rootAlias = aliases.next();
  }

  /** Whether a row of the root may occur more than once. */
  get multipliesRows(): boolean {
    return this.#manyPaths.length > 0;
  }

  /** Whether the path, which ends with a to-many join, is already joined. */
  joinsMany(steps: readonly JoinEdge[]): boolean {
    return this.#manyPaths.includes(pathKey(steps));
  }

  column(steps: readonly JoinEdge[], name: string): SqlColumn {
    const model = this.#models.model(steps.at(-1)?.to ?? this.root);
    return modelColumn(this.#models, model, this.aliasAt(steps), name);
  }

  aliasAt(steps: readonly JoinEdge[]): string {
    const edge = steps.at(-1);
    if (!edge) return this.rootAlias;
    const key = pathKey(steps);
    const known = this.#nodes.get(key);
    if (known) return known.alias;
    const from = this.aliasAt(steps.slice(0, -1));
    const alias = this.aliases.next();
    if (!edge.isToMany) checkJoin(this.#models, edge);
    const behind = (join: JoinEdge, name: string) => this.column([...steps.slice(0, -1), join], name);
    const on = writeCondition(this.#models, edge, from, alias, behind);
    const relation = rowsOfModel(this.#models.model(edge.to));
    this.#nodes.set(key, { alias, joined: { relation, alias, join: "left", on } });
    if (edge.isToMany) this.#manyPaths.push(key);
    return alias;
  }

  get from(): { readonly relation: StoredTable | WrittenRows; readonly alias: string } {
    return { relation: rowsOfModel(this.#models.model(this.root)), alias: this.rootAlias };
  }

  get joins(): readonly JoinedRelation[] {
    return [...this.#nodes.values()].map(({ joined }) => joined);
  }
}

/** Writes the condition of a join between two aliases. `behind` returns columns behind joins of the first model. */
export function writeCondition(
  models: ModelSet,
  edge: JoinEdge,
  from: string,
  to: string,
  behind?: (join: JoinEdge, column: string) => SqlColumn,
): SqlExpression {
  const { condition } = edge;
  const [near, far] = [models.model(edge.from), models.model(edge.to)];
  if (condition.kind === "pairs") {
    const equal = condition.pairs.map(([local, remote]) =>
      bindBinary("=", modelColumn(models, near, from, local), modelColumn(models, far, to, remote)),
    );
    return allOf(equal);
  }
  const [start, end] = condition.isReversed ? ["{to}", "{from}"] : ["{from}", "{to}"];
  const bound = bindExpression(condition.expression, ([side, name, column, ...more]) => {
    if (name === undefined || more.length > 0 || (side !== start && side !== end)) {
      return refuseMetric(
        "invalid_expression",
        `The condition of the join ${edge.name} names ${side}. Write {from}.column, {from}.join.column or {to}.column.`,
      );
    }
    if (column !== undefined) return columnBehind(models, edge, `${side}.${name}`, column, behind);
    return side === start ? modelColumn(models, near, from, name) : modelColumn(models, far, to, name);
  });
  return requireBoolean(bound);
}

/** Resolves `{from}.join.column`: a column behind a to-one join of the model that declares the condition. */
function columnBehind(
  models: ModelSet,
  edge: JoinEdge,
  written: string,
  column: string,
  behind: ((join: JoinEdge, column: string) => SqlColumn) | undefined,
): SqlColumn {
  const [join] = written.startsWith("{from}.") ? takeJoins(models, edge.from, [written.slice(7)]) : [];
  if (join && !join.isToMany && behind && edge.condition.kind === "expression" && !edge.condition.isReversed)
    return behind(join, column);
  const why = `The condition of the join ${edge.declaredAs} names ${written}.${column}.`;
  return refuseMetric(
    "unsupported",
    `${why} A column behind a to-one join is known in the direction from ${edge.declaredAs.split(".")[0]} only.`,
  );
}

/** Refuses a join if the data contradict its "one" side. */
function checkJoin(models: ModelSet, edge: JoinEdge): void {
  const wrong = models.facts.violations?.find(({ model, join }) => `${model}.${join}` === edge.declaredAs);
  if (!wrong) return;
  const why = `The join ${edge.declaredAs} declares one row, but ${wrong.keys} keys occur more than once in the data.`;
  refuseMetric("wrong_key", `${why} Correct its relationship or its condition.`);
}

/** Returns the rows of a model: its table, by the engine's name without the connection, or the rows of its statement. */
export function rowsOfModel({ name, table, sql, connection }: SemanticModel): StoredTable | WrittenRows {
  if (sql !== undefined) return { kind: "sql", text: sql };
  if (table === undefined) return refuseMetric("invalid_expression", `The model ${name} has no table. Write one.`);
  const parts = table.split(".");
  if (parts.length > 3 || parts.some((part) => part === "")) {
    refuseMetric("invalid_expression", `"${table}" is not a table. Write schema.table, or connection.schema.table.`);
  }
  const [first, ...rest] = parts;
  return {
    kind: "table",
    path: parts.length === 3 && (connection === undefined || connection === first) ? rest : parts,
  };
}
