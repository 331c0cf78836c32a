import { formatModelFile, type ModelFile, type SemanticModel } from "@bridle/semantic";
import { EditedDocument } from "../../files/yaml/edit-document.ts";
import type { TableUsage } from "../../history/query-history.ts";
import type { KnownTable } from "../../knowledge/known.ts";
import { areEmpty, type ModelAdditions, withAdditions } from "./find-additions.ts";

/** A model that is proposed: new, or additions to a model in a file. */
export interface ProposedModel {
  readonly table: KnownTable;
  /** The draft, or the existing model of the file. */
  readonly model: SemanticModel;
  /** The file of an existing model. */
  readonly existing?: ModelFile | undefined;
  readonly additions: ModelAdditions;
  /** How statements that ran use the table. */
  readonly usage?: TableUsage | undefined;
}

/** The removable parts of a draft. */
export type DraftPart = "primary_key" | "joins" | "dimensions" | "measures" | "segments";

/** Returns the draft without an entry. Entries in files are never removed. */
export function withoutEntry(proposed: ProposedModel, part: DraftPart, name: string): ProposedModel {
  const { additions, model } = proposed;
  if (part === "primary_key") {
    const { primary_key: _, ...rest } = model;
    return proposed.existing === undefined ? { ...proposed, model: rest } : proposed;
  }
  if (part === "joins")
    return {
      ...proposed,
      additions: { ...additions, joins: additions.joins.filter((each) => (each.name ?? each.to) !== name) },
    };
  if (part === "dimensions")
    return {
      ...proposed,
      additions: { ...additions, dimensions: additions.dimensions.filter((each) => each.name !== name) },
    };
  if (part === "segments")
    return {
      ...proposed,
      additions: { ...additions, segments: additions.segments.filter((each) => each.name !== name) },
    };
  const measures = additions.measures.filter((each) => each.name !== name);
  return { ...proposed, model: withoutMetric(proposed, name), additions: { ...additions, measures } };
}

/** Returns a new model without a measure's name, as a metric or within one. */
function withoutMetric({ model, existing }: ProposedModel, name: string): SemanticModel {
  if (existing !== undefined || model.metrics === undefined) return model;
  const metrics = model.metrics.filter(
    (each) => each.name !== name && !(each.type === "ratio" && [each.numerator, each.denominator].includes(name)),
  );
  const { metrics: _, ...rest } = model;
  return metrics.length === 0 ? rest : { ...rest, metrics };
}

/** Returns the whole model, in the form of its file. */
export function wholeModel({ model, existing, additions }: ProposedModel): SemanticModel {
  if (existing !== undefined) return withAdditions(model, additions);
  const { default_time: time, ...rest } = model;
  const isLeft = additions.dimensions.some(({ name }) => name === time);
  const filled = { ...rest, ...(isLeft && time !== undefined && { default_time: time }) };
  return withAdditions({ ...filled, joins: [], dimensions: [], measures: [], segments: [] }, additions);
}

/** Returns the text of the file. Comments, order and unknown keys in an existing file stay. */
export function formatProposedModel(proposed: ProposedModel): string {
  const { existing, additions } = proposed;
  if (existing === undefined) return formatModelFile(wholeModel(proposed));
  if (areEmpty(additions)) return existing.text;
  const document = new EditedDocument(existing.text, existing.file);
  for (const part of ["joins", "dimensions", "measures", "segments"] as const)
    for (const entry of additions[part]) document.append(part, { ...entry });
  return document.toString();
}
