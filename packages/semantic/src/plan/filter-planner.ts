import { namesInExpression } from "../expressions/names-in-expression.ts";
import { allOf, anyOf, sqlLiteral } from "../ir/build-expression.ts";
import type { SqlExpression } from "../ir/sql-expression.ts";
import type { JoinEdge } from "../models/join-edge.ts";
import type { MetricFilter } from "../models/model-schema.ts";
import type { ModelSet } from "../models/model-set.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import { bindCondition } from "./bind-condition.ts";
import type { ColumnSource } from "./bind-dimension.ts";
import { bindExpression } from "./bind-expression.ts";
import { type FieldPath, isSamePath } from "./field-path.ts";
import { JoinTree, writeCondition } from "./join-tree.ts";
import { requireBoolean } from "./type-rules.ts";

/** How the names of a filter become paths and columns. */
export interface FilterFields {
  toPath(parts: readonly string[]): FieldPath;
  bind(source: ColumnSource, path: FieldPath): SqlExpression;
  /** The filter of a segment, with the fields that it is written in. */
  segment(name: string): { readonly filter: MetricFilter; readonly fields: FilterFields };
}

/**
 * Plans filters over the rows of a join tree. A filter on fields behind a to-many join becomes EXISTS: there is a row for which it
 * holds. The conditions of one `and`, or of one text, then hold for the same row.
 */
export class FilterPlanner {
  readonly #models: ModelSet;
  readonly #tree: JoinTree;
  /** What the filters assume, in words. */
  readonly assumptions: string[] = [];

  constructor(models: ModelSet, tree: JoinTree) {
    this.#models = models;
    this.#tree = tree;
  }

  plan(filter: MetricFilter, fields: FilterFields): SqlExpression {
    if (typeof filter === "object" && "segment" in filter) {
      const segment = fields.segment(filter.segment);
      return this.plan(segment.filter, segment.fields);
    }
    const paths = this.pathsIn(filter, fields);
    const prefixes = paths.map(({ steps }) => manyPrefix(steps)).filter((prefix) => prefix !== undefined);
    const [first] = prefixes;
    if (!first) return this.bindOver(filter, fields, this.#tree);
    if (typeof filter === "object" && "or" in filter) return anyOf(filter.or.map((each) => this.plan(each, fields)));
    if (prefixes.every((prefix) => isSamePath(prefix, first))) return this.#exists(filter, fields, first);
    if (typeof filter === "object" && "and" in filter) return allOf(filter.and.map((each) => this.plan(each, fields)));
    const why = `The filter ${JSON.stringify(filter)} compares rows of several to-many joins.`;
    return refuseMetric("ambiguous_question", `${why} Write one filter for each of them.`);
  }

  #exists(filter: MetricFilter, fields: FilterFields, prefix: readonly JoinEdge[]): SqlExpression {
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
    const condition = this.bindOver(filter, fields, source);
    const where = [writeCondition(this.#models, edge, outer, inner.rootAlias), condition];
    const one = [{ name: "one", expression: sqlLiteral("1", "integer") }];
    return {
      kind: "exists",
      select: { kind: "select", columns: one, from: inner.from, joins: inner.joins, where },
      type: "boolean",
    };
  }

  /** The filter over the columns of another source, without EXISTS. */
  bindOver(filter: MetricFilter, fields: FilterFields, source: ColumnSource): SqlExpression {
    if (typeof filter === "string") {
      return requireBoolean(
        bindExpression(this.#models.parse(filter), (parts) => fields.bind(source, fields.toPath(parts))),
      );
    }
    if ("or" in filter) return anyOf(filter.or.map((each) => this.bindOver(each, fields, source)));
    if ("and" in filter) return allOf(filter.and.map((each) => this.bindOver(each, fields, source)));
    if ("segment" in filter) {
      const segment = fields.segment(filter.segment);
      return this.bindOver(segment.filter, segment.fields, source);
    }
    return bindCondition(filter, fields.bind(source, fields.toPath(filter.field.split("."))));
  }

  /** The paths of all fields that a filter names. */
  pathsIn(filter: MetricFilter, fields: FilterFields): readonly FieldPath[] {
    if (typeof filter === "string")
      return namesInExpression(this.#models.parse(filter)).map((parts) => fields.toPath(parts));
    if ("or" in filter) return filter.or.flatMap((each) => this.pathsIn(each, fields));
    if ("and" in filter) return filter.and.flatMap((each) => this.pathsIn(each, fields));
    if ("segment" in filter) {
      const segment = fields.segment(filter.segment);
      return this.pathsIn(segment.filter, segment.fields);
    }
    return [fields.toPath(filter.field.split("."))];
  }
}

/** The path up to its first to-many join. */
function manyPrefix(steps: readonly JoinEdge[]): readonly JoinEdge[] | undefined {
  const index = steps.findIndex(({ isToMany }) => isToMany);
  return index < 0 ? undefined : steps.slice(0, index + 1);
}
