import type { SemanticModel } from "@bridle/semantic";
import type { DraftDimension, DraftJoin, DraftMeasure } from "./draft-model.ts";
import { columnOfExpression } from "./model-names.ts";

/** What a draft has and an existing model does not. Nothing of the existing model is changed. */
export interface ModelAdditions {
  readonly joins: readonly DraftJoin[];
  readonly dimensions: readonly DraftDimension[];
  readonly measures: readonly DraftMeasure[];
}

export function findAdditions(draft: SemanticModel, existing: SemanticModel | undefined): ModelAdditions {
  const { joins = [], dimensions = [], measures = [] } = draft;
  if (existing === undefined) return { joins, dimensions, measures };
  const names = {
    joins: new Set((existing.joins ?? []).map(({ name, to }) => name ?? to)),
    dimensions: namesOf(existing.dimensions),
    measures: new Set([...namesOf(existing.measures), ...namesOf(existing.metrics)]),
  };
  const ends = new Set((existing.joins ?? []).map(endsOf));
  const columns = new Set((existing.dimensions ?? []).map(columnOf));
  const inputs = new Set((existing.measures ?? []).map(inputOf));
  return {
    joins: joins.filter((join) => !ends.has(endsOf(join)) && !names.joins.has(join.name ?? join.to)),
    dimensions: dimensions.filter((each) => !columns.has(columnOf(each)) && !names.dimensions.has(each.name)),
    measures: measures.filter((each) => !inputs.has(inputOf(each)) && !names.measures.has(each.name)),
  };
}

/** An existing model with additions, or a new one with only those parts of its draft. */
export function withAdditions(model: SemanticModel, additions: ModelAdditions): SemanticModel {
  const { joins = [], dimensions = [], measures = [] } = model;
  return {
    ...model,
    joins: [...joins, ...additions.joins],
    dimensions: [...dimensions, ...additions.dimensions],
    measures: [...measures, ...additions.measures],
  };
}

export function areEmpty({ joins, dimensions, measures }: ModelAdditions): boolean {
  return joins.length + dimensions.length + measures.length === 0;
}

function namesOf(entries: readonly { readonly name: string }[] | undefined): ReadonlySet<string> {
  return new Set((entries ?? []).map(({ name }) => name));
}

function columnOf({ name, expr }: DraftDimension): string {
  return expr === undefined ? name : (columnOfExpression(expr) ?? expr);
}

function inputOf({ name, agg, expr }: DraftMeasure): string {
  const input = expr ?? (agg === "count" ? "" : name);
  return `${agg} ${columnOfExpression(input) ?? input}`;
}

function endsOf({ to, on }: DraftJoin): string {
  return JSON.stringify([to, on]);
}
