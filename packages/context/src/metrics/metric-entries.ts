import { sha256 } from "@bridle/core";
import type { SemanticModel } from "@bridle/semantic";
import type { EntryKind, SearchEntry } from "../facts/entry-kind.ts";
import type { TablePath } from "../facts/identifiers.ts";
import { splitCompoundName } from "../facts/search-words.ts";
import { tablesOfEntry } from "./entry-tables.ts";
import type { PlacedModel } from "./model-table.ts";

/** The models of a project, as a search reads them. There are none if a file is invalid. */
export interface SearchedModels {
  read(): { readonly models: readonly PlacedModel[]; readonly version: string };
}

/** An entry in a file of `context/models` that a search finds. */
interface Named {
  readonly name: string;
  readonly label?: string | undefined;
  readonly description?: string | undefined;
  readonly synonyms?: readonly string[] | undefined;
}

/** Defines entries for measures and metrics (both as `metric`), dimensions and models, found by name, label, synonym and description. */
export function metricEntries(searched: SearchedModels): readonly EntryKind[] {
  const each = (entriesIn: (placed: PlacedModel, all: readonly PlacedModel[]) => readonly SearchEntry[]) => () => {
    const { models } = searched.read();
    return models.flatMap((placed) => entriesIn(placed, models));
  };
  return [
    { kind: "metric", entries: each((placed, all) => toEntries(placed, measuresOf(placed.model), all)) },
    { kind: "dimension", entries: each((placed, all) => toEntries(placed, placed.model.dimensions ?? [], all)) },
    { kind: "model", entries: each(({ model, tables }) => [toEntry(model.name, model, "", tables)]) },
  ];
}

function measuresOf({ measures = [], metrics = [] }: SemanticModel): readonly Named[] {
  return [...measures, ...metrics];
}

function toEntries({ model }: PlacedModel, named: readonly Named[], all: readonly PlacedModel[]): SearchEntry[] {
  return named.map((each) => {
    const tables = tablesOfEntry({ model: model.name, name: each.name }, all);
    return toEntry(`${model.name}.${each.name}`, each, model.name, tables);
  });
}

function toEntry(id: string, named: Named, model: string, tables: readonly TablePath[]): SearchEntry {
  const { name, label = "", description = "", synonyms = [] } = named;
  const inWords = [name, label, ...synonyms, model].map((each) => splitCompoundName(each).join(" "));
  return {
    id,
    tables,
    fingerprint: sha256(JSON.stringify([name, label, description, synonyms, model, tables])),
    fields: [
      { texts: [name, label, ...synonyms], weight: 4, usualLength: 4 },
      { texts: [model], weight: 1, usualLength: 2 },
      { texts: [description], weight: 2.5, usualLength: 12 },
    ],
    meaning: [...inWords, description].filter(Boolean).join(". ").toWellFormed(),
  };
}
