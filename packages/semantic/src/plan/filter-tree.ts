/** Converts filters to one tree, whether they are objects, strings or segments. */
import type { ParsedExpression } from "../expressions/expression.ts";
import { namesInExpression } from "../expressions/names-in-expression.ts";
import type { SqlExpression } from "../ir/sql-expression.ts";
import { type JoinEdge, pathKey } from "../models/join-edge.ts";
import type { FilterCondition, MetricFilter } from "../models/model-schema.ts";
import type { ModelSet } from "../models/model-set.ts";
import type { ColumnSource } from "./bind-dimension.ts";
import type { FieldPath } from "./field-path.ts";
import type { GroupMetrics } from "./group-metric.ts";

/** How the names in a filter are resolved to paths and columns. */
export interface FilterFields {
  toPath(parts: readonly string[]): FieldPath;
  /** The model to which names without a join belong. Undefined for the names in a query. */
  readonly model: string | undefined;
  /** Binds a path. Moments keep their stored value. */
  bind(source: ColumnSource, path: FieldPath): SqlExpression;
  /** The time zone for days, hours and bounds. */
  readonly zone: string | undefined;
  /** The metrics that conditions compare. */
  readonly groups: GroupMetrics;
  /** Returns the filter of a segment, and the fields that it uses. */
  segment(name: string): { readonly filter: MetricFilter; readonly fields: FilterFields };
}

export type FilterTree =
  | { readonly kind: "and" | "or"; readonly parts: readonly FilterTree[] }
  | {
      readonly kind: "condition";
      readonly condition: ParsedExpression | FilterCondition;
      readonly fields: FilterFields;
      readonly paths: readonly FieldPath[];
    };

export function filterTree(models: ModelSet, filter: MetricFilter, fields: FilterFields): FilterTree {
  if (typeof filter === "string") return treeOfText(models.parse(filter), fields);
  if ("or" in filter) return { kind: "or", parts: filter.or.map((each) => filterTree(models, each, fields)) };
  if ("and" in filter) return { kind: "and", parts: filter.and.map((each) => filterTree(models, each, fields)) };
  if ("segment" in filter) {
    const segment = fields.segment(filter.segment);
    return filterTree(models, segment.filter, segment.fields);
  }
  const paths = [fields.toPath(filter.field.split("."))];
  return { kind: "condition", condition: filter, fields, paths };
}

/** Converts a filter that was written as text. Moves NOT inwards, so that it applies to single conditions and AND and OR stay outside. */
function treeOfText(parsed: ParsedExpression, fields: FilterFields, isNegated = false): FilterTree {
  if (parsed.kind === "unary" && parsed.operator === "not") return treeOfText(parsed.operand, fields, !isNegated);
  if (parsed.kind === "binary" && (parsed.operator === "and" || parsed.operator === "or")) {
    const kind = (parsed.operator === "and") === isNegated ? "or" : "and";
    return { kind, parts: [parsed.left, parsed.right].map((side) => treeOfText(side, fields, isNegated)) };
  }
  const paths = namesInExpression(parsed).map((parts) => fields.toPath(parts));
  const condition: ParsedExpression = isNegated ? { kind: "unary", operator: "not", operand: parsed } : parsed;
  return { kind: "condition", condition, fields, paths };
}

export function pathsInTree(tree: FilterTree): readonly FieldPath[] {
  return tree.kind === "condition" ? tree.paths : tree.parts.flatMap(pathsInTree);
}

/** Returns the distinct beginnings of a tree's paths, up to their first to-many join. */
export function manyPrefixes(tree: FilterTree): readonly (readonly JoinEdge[])[] {
  const prefixes = pathsInTree(tree).flatMap(({ steps }) => {
    const index = steps.findIndex(({ isToMany }) => isToMany);
    return index < 0 ? [] : [steps.slice(0, index + 1)];
  });
  return [...new Map(prefixes.map((prefix) => [pathKey(prefix), prefix])).values()];
}

/** Whether the filter can be true only if there is a row behind each to-many join that it uses. */
export function needsRow(tree: FilterTree): boolean {
  if (tree.kind === "condition") return manyPrefixes(tree).length > 0;
  return tree.kind === "and" ? tree.parts.some(needsRow) : tree.parts.every(needsRow);
}

/** Returns the parts of an AND, including those of nested ANDs. */
export function conjunctsOf(tree: FilterTree): readonly FilterTree[] {
  return tree.kind === "and" ? tree.parts.flatMap(conjunctsOf) : [tree];
}
