import type { DescribedModel } from "../metrics/describe-models.ts";
import type { SearchHit } from "../search/context-search.ts";

/** The kinds of hits that belong to models. */
export const metricKinds: readonly string[] = ["metric", "dimension", "model"];

/** A metric, dimension or model that a search found. */
export interface FoundMetric {
  readonly kind: string;
  /** `model.name`, as queries write it, or the name of a model. */
  readonly name: string;
  /** The formula of a measure or metric. */
  readonly formula?: string | undefined;
  readonly description?: string | undefined;
}

/** Returns the description of a hit; undefined if the models that the caller may see do not contain the hit. */
export function describeFound({ kind, id }: SearchHit, models: readonly DescribedModel[]): FoundMetric | undefined {
  const { name, formula, description } = entryOf(kind, id, models) ?? {};
  return name === undefined ? undefined : { kind, name, formula, description };
}

interface Found {
  readonly name?: string | undefined;
  readonly formula?: string | undefined;
  readonly description?: string | undefined;
}

function entryOf(kind: string, id: string, models: readonly DescribedModel[]): Found | undefined {
  const isFound = ({ name }: { readonly name: string }) => name === id;
  if (kind === "model") {
    const { name, description } = models.find(isFound) ?? {};
    return { name, description };
  }
  return kind === "dimension"
    ? models.flatMap(({ dimensions }) => dimensions).find(isFound)
    : models.flatMap(({ measures }) => measures).find(isFound);
}
