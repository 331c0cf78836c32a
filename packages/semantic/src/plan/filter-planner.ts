import type { ParsedExpression } from "../expressions/expression.ts";
import { allOf, anyOf, sqlLiteral } from "../ir/build-expression.ts";
import type { SqlExpression } from "../ir/sql-expression.ts";
import { requireBoolean } from "../ir/type-rules.ts";
import { type JoinEdge, pathKey } from "../models/join-edge.ts";
import type { MetricFilter } from "../models/model-schema.ts";
import type { ModelSet } from "../models/model-set.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import { bindCondition } from "./bind-condition.ts";
import type { ColumnSource } from "./bind-dimension.ts";
import { bindExpression } from "./bind-expression.ts";
import { bindOfRow } from "./bind-of-row.ts";
import { type FieldPath, isSamePath } from "./field-path.ts";
import {
  conjunctsOf,
  type FilterFields,
  type FilterTree,
  filterTree,
  manyPrefixes,
  needsRow,
  pathsInTree,
} from "./filter-tree.ts";
import { groupExists, readGroupCondition } from "./group-metric.ts";
import { JoinTree, writeCondition } from "./join-tree.ts";

/**
 * Plans filters over the rows of a join tree. A filter on fields behind a to-many join becomes EXISTS, so that at least one row must match.
 * All conditions of an `and`, or of a filter written as text, must be true for the same row.
 */
export class FilterPlanner {
  readonly #models: ModelSet;
  readonly #tree: JoinTree;
  /** The filters' assumptions, in sentences. */
  readonly assumptions: string[] = [];

  constructor(models: ModelSet, tree: JoinTree) {
    this.#models = models;
    this.#tree = tree;
  }

  plan(filter: MetricFilter, fields: FilterFields): SqlExpression {
    return this.#plan(filterTree(this.#models, filter, fields));
  }

  #plan(tree: FilterTree): SqlExpression {
    const [first, ...others] = manyPrefixes(tree);
    if (!first) return this.#bind(tree, this.#tree);
    if (others.length === 0 && needsRow(tree)) return this.#exists(tree, first);
    if (tree.kind === "or") return anyOf(tree.parts.map((each) => this.#plan(each)));
    if (tree.kind === "and") return this.#planAnd(conjunctsOf(tree));
    const names = [first, ...others].map((prefix) => prefix.at(-1)?.to).join(" and ");
    const why = `A condition compares rows of several to-many joins: ${names}.`;
    return refuseMetric("ambiguous_question", `${why} Write one filter for each of them.`);
  }

  /** Plans an AND. Conditions on one to-many join must be true for the same row. */
  #planAnd(parts: readonly FilterTree[]): SqlExpression {
    const groups = Map.groupBy(parts, (part) => manyPrefixes(part).map(pathKey).toSorted().join("\n"));
    const joins = [...groups.keys()].flatMap((key) => (key === "" ? [] : key.split("\n")));
    const shared = joins.some((join, index) => joins.indexOf(join) !== index);
    const planned = [...groups.values()].map((group) => {
      const [only, ...more] = group;
      const whole: FilterTree = only && more.length === 0 ? only : { kind: "and", parts: group };
      const isMixed = more.length > 0 && manyPrefixes(whole).length > 0;
      if (shared || (isMixed && (manyPrefixes(whole).length > 1 || !needsRow(whole)))) refuseMixed(whole);
      return this.#plan(whole);
    });
    return allOf(planned);
  }

  #exists(tree: FilterTree, prefix: readonly JoinEdge[]): SqlExpression {
    const edge = prefix.at(-1);
    if (!edge) return refuseMetric("unsupported", "A filter has no join.");
    if (this.#tree.joinsMany(prefix)) {
      const why = `A filter and a dimension both use rows of ${edge.to}: the filter could select ${this.#tree.root} or these rows.`;
      refuseMetric("ambiguous_question", `${why} Ask for a measure of ${edge.to}, or leave one of them out.`);
    }
    this.assumptions.push(
      `A filter on ${edge.to} keeps each row of ${this.#tree.root} that has at least one such row.`,
    );
    const inner = new JoinTree(this.#models, edge.to, this.#tree.aliases);
    const outer = this.#tree.aliasAt(prefix.slice(0, -1));
    const source: ColumnSource = {
      column: (steps, name) =>
        isSamePath(steps.slice(0, prefix.length), prefix)
          ? inner.column(steps.slice(prefix.length), name)
          : this.#tree.column(steps, name),
    };
    const condition = this.#bind(tree, source);
    const where = [writeCondition(this.#models, edge, outer, inner.rootAlias), condition];
    const one = [{ name: "one", expression: sqlLiteral("1", "integer") }];
    return {
      kind: "exists",
      select: { kind: "select", columns: one, from: inner.from, joins: inner.joins, where },
      type: "boolean",
    };
  }

  /** Binds the filter to the columns of another source, without EXISTS. */
  bindOver(filter: MetricFilter, fields: FilterFields, source: ColumnSource): SqlExpression {
    return this.#bind(filterTree(this.#models, filter, fields), source);
  }

  #bind(tree: FilterTree, source: ColumnSource): SqlExpression {
    if (tree.kind !== "condition") {
      const parts = tree.parts.map((each) => this.#bind(each, source));
      return tree.kind === "and" ? allOf(parts) : anyOf(parts);
    }
    const { condition, fields } = tree;
    if ("field" in condition)
      return bindCondition(condition, fields.bind(source, fields.toPath(condition.field.split("."))), fields.zone);
    const group = readGroupCondition(condition);
    if (group) {
      const bind = (each: ParsedExpression) =>
        bindExpression(each, (parts) => fields.bind(source, fields.toPath(parts)), fields.zone);
      const relation = fields.groups.relationOf(group.metric, group.field);
      return groupExists(relation, { ...group, key: bind(group.key), value: bind(group.value), zone: fields.zone });
    }
    return requireBoolean(bindOfRow(this.#models, condition, fields, source));
  }

  /** Returns the paths of all fields that a filter names. */
  pathsIn(filter: MetricFilter, fields: FilterFields): readonly FieldPath[] {
    return pathsInTree(filterTree(this.#models, filter, fields));
  }
}

function refuseMixed(tree: FilterTree): never {
  const names = manyPrefixes(tree).map((prefix) => prefix.at(-1)?.to);
  const why = `Several alternatives of a filter share rows of ${names.join(" and ")}, and may hold for one row or for two.`;
  return refuseMetric("ambiguous_question", `${why} Write the alternatives out, each with its own and.`);
}
