import type { TablePath } from "../facts/identifiers.ts";
import type { IsVisible } from "../knowledge/known.ts";
import { tablesOfEntry } from "./entry-tables.ts";
import type { PlacedModel } from "./model-table.ts";

/** Returns a model without the entries and joins that need a hidden table. `all` are the models of the project. */
export function withVisibleEntries(
  placed: PlacedModel,
  all: readonly PlacedModel[],
  isVisible: IsVisible,
): PlacedModel {
  const { model } = placed;
  const tables = new Map<string, readonly TablePath[]>(all.map((each) => [each.model.name, each.tables]));
  const isShown = ({ name }: { readonly name: string }) =>
    tablesOfEntry({ model: model.name, name }, all).every(isVisible);
  const leadsToShown = ({ to }: { readonly to: string }) => {
    return tables.get(to)?.every(isVisible) ?? true;
  };
  return {
    ...placed,
    model: {
      ...model,
      measures: (model.measures ?? []).filter(isShown),
      metrics: (model.metrics ?? []).filter(isShown),
      dimensions: (model.dimensions ?? []).filter(isShown),
      segments: (model.segments ?? []).filter(isShown),
      joins: (model.joins ?? []).filter(leadsToShown),
    },
  };
}
