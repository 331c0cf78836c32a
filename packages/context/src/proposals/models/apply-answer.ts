import type { SemanticModel } from "@bridle/semantic";
import { redactSensitive } from "@bridle/warehouse";
import { columnOfExpression, takeModelName, writeColumn } from "../../history/model-names.ts";
import type { DraftDimension, DraftMeasure } from "./draft-parts.ts";
import { chosenAggregations, type DraftAnswer } from "./draft-prompt.ts";
import type { ProposedModel } from "./drafts.ts";

type ModelAnswer = DraftAnswer["models"][number];
type DraftMetric = NonNullable<SemanticModel["metrics"]>[number];

/** Applies the model's choices, names and descriptions to a draft. Unknown names in the answer have no effect. */
export function applyDraftAnswer(proposed: ProposedModel, answer: ModelAnswer): ProposedModel {
  const { additions, model, existing } = proposed;
  const dimensionNames = namesOf(existing === undefined ? [] : model.dimensions);
  const measureNames = namesOf(existing === undefined ? [] : [...(model.measures ?? []), ...(model.metrics ?? [])]);
  const byNumber = new Map<string, string>();
  const dimensions = additions.dimensions.flatMap((entry, at): DraftDimension[] => {
    const said = answer.dimensions.find(({ dimension }) => dimension === `d${at + 1}`);
    if (said?.keep === false) return [];
    const name = takeModelName(nameOf(said?.name, entry.name), dimensionNames);
    const expr = entry.expr ?? (name === entry.name ? undefined : writeColumn(entry.name));
    return [{ ...entry, name, ...(expr !== undefined && { expr }), ...describe(said?.description, entry.description) }];
  });
  const measures = additions.measures.flatMap((entry, at): DraftMeasure[] => {
    const said = answer.measures.find(({ measure }) => measure === `m${at + 1}`);
    if (said?.keep === false && entry.name !== "count") return [];
    const name = takeModelName(nameOf(said?.name, entry.name), measureNames);
    byNumber.set(`m${at + 1}`, name);
    const agg = chosenAggregations.find((each) => each === said?.agg);
    const isNumber = chosenAggregations.some((each) => each === entry.agg);
    return [{ ...entry, name, ...(agg && isNumber && { agg }), ...describe(said?.description, entry.description) }];
  });
  const metrics = existing === undefined ? readRatios(answer.ratios, byNumber, measureNames) : [];
  return {
    ...proposed,
    model: existing === undefined ? withWords(proposed, answer, metrics, renamedTime(proposed, dimensions)) : model,
    additions: { ...additions, dimensions, measures },
  };
}

/** Returns the new name of the default time; undefined if the model left it out. */
function renamedTime({ model, additions }: ProposedModel, dimensions: readonly DraftDimension[]): string | undefined {
  const before = additions.dimensions.find(({ name }) => name === model.default_time);
  const columnOf = ({ name, expr = name }: DraftDimension) => columnOfExpression(expr) ?? expr;
  return before && dimensions.find((each) => columnOf(each) === columnOf(before))?.name;
}

function withWords(
  { model }: ProposedModel,
  { description }: ModelAnswer,
  metrics: readonly DraftMetric[],
  time: string | undefined,
): SemanticModel {
  const { default_time: _, ...rest } = model;
  return {
    ...rest,
    ...describe(description, model.description),
    ...(metrics.length > 0 && { metrics: [...metrics] }),
    ...(time !== undefined && { default_time: time }),
  };
}

function readRatios(
  ratios: ModelAnswer["ratios"],
  byNumber: ReadonlyMap<string, string>,
  taken: Set<string>,
): readonly DraftMetric[] {
  return ratios.flatMap(({ name, numerator, denominator, description }): DraftMetric[] => {
    const [top, bottom] = [byNumber.get(numerator), byNumber.get(denominator)];
    if (top === undefined || bottom === undefined || top === bottom || !isName(name)) return [];
    const own = takeModelName(name, taken);
    return [{ name: own, type: "ratio", numerator: top, denominator: bottom, ...describe(description, undefined) }];
  });
}

function namesOf(entries: readonly { readonly name: string }[] | undefined): Set<string> {
  return new Set((entries ?? []).map(({ name }) => name.toLowerCase()));
}

function nameOf(said: string | undefined, own: string): string {
  return said !== undefined && isName(said) ? said : own;
}

function isName(text: string): boolean {
  return /^[a-z][a-z0-9_]{0,59}$/.test(text);
}

/** Chooses the description. The draft's own one wins: it comes from a user, a document, or a model that saw more. */
function describe(said: string | undefined, own: string | undefined): { description?: string } {
  const text =
    own ??
    redactSensitive(said ?? "")
      .replaceAll(/\s+/g, " ")
      .trim()
      .slice(0, 300)
      .toWellFormed();
  return text === "" ? {} : { description: text };
}
