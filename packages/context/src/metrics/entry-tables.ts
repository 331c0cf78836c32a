import { formatTableId, type TablePath } from "../facts/identifiers.ts";
import type { PlacedModel } from "./model-table.ts";

interface EntryName {
  readonly model: string;
  readonly name: string;
}

/**
 * Lists the tables that a measure, metric or dimension needs: its model's table, and the tables of all models that its definition names,
 * directly or through other entries. In doubt, includes a table. Only callers that may see all of these tables find the entry.
 */
export function tablesOfEntry(entry: EntryName, models: readonly PlacedModel[]): readonly TablePath[] {
  const byName = new Map(models.map((each) => [each.model.name, each]));
  const seen = new Set<string>();
  const tables = new Map<string, TablePath>();
  const pending = [entry];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const placed = byName.get(next.model);
    const key = `${next.model}.${next.name}`;
    if (placed === undefined || seen.has(key)) continue;
    seen.add(key);
    for (const table of placed.tables) tables.set(formatTableId(table), table);
    pending.push(...namesIn(next, placed, byName));
  }
  return [...tables.values()];
}

/** Lists the names in an entry's definition: `model.name`, or a name in its own model. */
function namesIn({ model, name }: EntryName, placed: PlacedModel, byName: ReadonlyMap<string, PlacedModel>) {
  const found = entriesOf(placed).filter((each) => each.name === name);
  const text = found
    .map(({ description: _words, label: _label, synonyms: _others, ...rest }) => JSON.stringify(rest))
    .join(" ");
  const words = text.match(/[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*/gu) ?? [];
  return words.flatMap((word): EntryName[] => {
    const parts = word.split(".");
    const joins = parts.flatMap((part) => targetOf(part, placed) ?? []);
    const named = [parts[0] ?? "", ...joins].filter((each) => byName.has(each));
    return [
      ...named.map((each) => ({ model: each, name: parts.at(-1) ?? "" })),
      ...(parts.length === 1 ? [{ model, name: word }] : []),
    ];
  });
}

/** Returns the model that the join with this name leads to. */
function targetOf(name: string, { model: { joins = [] } }: PlacedModel): string | undefined {
  return joins.find((join) => (join.name ?? join.to) === name)?.to;
}

interface Defined {
  readonly name: string;
  readonly description?: unknown;
  readonly label?: unknown;
  readonly synonyms?: unknown;
}

function entriesOf({ model }: PlacedModel): readonly Defined[] {
  const { measures = [], metrics = [], dimensions = [], segments = [] } = model;
  return [...measures, ...metrics, ...dimensions, ...segments];
}
