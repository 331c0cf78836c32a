import type { SemanticModel } from "@bridle/semantic";
import { columnOfExpression } from "../../history/model-names.ts";
import type { DraftDimension, DraftJoin, DraftMeasure, DraftSegment } from "./draft-parts.ts";

/** The parts of a draft that an existing model lacks. Nothing in the existing model is changed. */
export interface ModelAdditions {
  readonly joins: readonly DraftJoin[];
  readonly dimensions: readonly DraftDimension[];
  readonly measures: readonly DraftMeasure[];
  readonly segments: readonly DraftSegment[];
}

/** The draft of a model. */
export type DraftedModel = Omit<SemanticModel, "measures"> & { readonly measures?: DraftMeasure[] };

export function findAdditions(draft: DraftedModel, existing: SemanticModel | undefined): ModelAdditions {
  const { joins = [], dimensions = [], measures = [], segments = [] } = draft;
  if (existing === undefined) return { joins, dimensions, measures, segments };
  const names = {
    joins: new Set((existing.joins ?? []).map(({ name, to }) => name ?? to)),
    dimensions: namesOf(existing.dimensions),
    measures: new Set([...namesOf(existing.measures), ...namesOf(existing.metrics)]),
  };
  const ends = new Set((existing.joins ?? []).map(endsOf));
  const columns = new Set((existing.dimensions ?? []).map(columnOf));
  const inputs = new Set((existing.measures ?? []).map(inputOfMeasure));
  const filters = new Set((existing.segments ?? []).map(({ filter }) => JSON.stringify(filter)));
  const segmentNames = namesOf(existing.segments);
  return {
    joins: joins.filter((join) => !ends.has(endsOf(join)) && !names.joins.has(join.name ?? join.to)),
    dimensions: dimensions.filter((each) => !columns.has(columnOf(each)) && !names.dimensions.has(each.name)),
    measures: measures.filter((each) => !inputs.has(inputOfMeasure(each)) && !names.measures.has(each.name)),
    segments: segments.filter(({ name, filter }) => !filters.has(JSON.stringify(filter)) && !segmentNames.has(name)),
  };
}

/** Returns an existing model with additions, or a new one with only those parts of its draft. */
export function withAdditions(model: SemanticModel, additions: ModelAdditions): SemanticModel {
  const { joins = [], dimensions = [], measures = [], segments = [] } = model;
  const all = [...segments, ...additions.segments];
  return {
    ...model,
    joins: [...joins, ...additions.joins],
    dimensions: [...dimensions, ...additions.dimensions],
    measures: [...measures, ...additions.measures],
    ...(all.length > 0 && { segments: all }),
  };
}

export function areEmpty({ joins, dimensions, measures, segments }: ModelAdditions): boolean {
  return joins.length + dimensions.length + measures.length + segments.length === 0;
}

function namesOf(entries: readonly { readonly name: string }[] | undefined): ReadonlySet<string> {
  return new Set((entries ?? []).map(({ name }) => name));
}

function columnOf({ name, expr }: DraftDimension): string {
  return expr === undefined ? name : (columnOfExpression(expr) ?? expr);
}

/** Returns a string that is equal for measures over the same numbers. */
export function inputOfMeasure({
  name,
  agg,
  expr,
  filters = [],
}: NonNullable<SemanticModel["measures"]>[number]): string {
  const input = expr ?? (agg === "count" ? "" : name);
  return JSON.stringify([agg, columnOfExpression(input) ?? input, filters]);
}

function endsOf({ to, on }: DraftJoin): string {
  return JSON.stringify([to, on]);
}
