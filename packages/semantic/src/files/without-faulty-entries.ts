/** Removes faulty entries from a model, so that the others can be used. */
import { type SemanticModel, semanticModelSchema } from "../models/model-schema.ts";
import type { EntryProblem } from "./entry-problem.ts";

const lists = ["joins", "dimensions", "measures", "segments", "metrics"] as const;
type EntryListKey = (typeof lists)[number];

/** A removed entry with its problem. Without a list, the entry is the default time or the primary key. */
export interface RemovedEntry {
  readonly problem: EntryProblem;
  readonly list?: EntryListKey | undefined;
  readonly name: string;
}

export interface WithoutFaulty {
  /** The model; undefined if the model as a whole has a fault. */
  readonly model: SemanticModel | undefined;
  readonly removed: readonly RemovedEntry[];
}

export function withoutFaultyEntries(model: SemanticModel, problems: readonly EntryProblem[]): WithoutFaulty {
  const removed: RemovedEntry[] = [];
  for (const problem of problems) {
    const [key = "", index] = problem.path.map(String);
    const list = lists.find((each) => each === key);
    if (list !== undefined) {
      const name = nameAt(model, list, Number(index));
      if (!removed.some((each) => each.list === list && each.name === name)) removed.push({ problem, list, name });
    } else if (key === "default_time" || key === "primary_key") removed.push({ problem, name: key });
    else return { model: undefined, removed: [{ problem, name: model.name }] };
  }
  const kept = lists.flatMap((list) => {
    const entries = model[list]?.filter((_, index) => !isRemoved(removed, list, nameAt(model, list, index))) ?? [];
    return entries.length > 0 ? [[list, entries] as const] : [];
  });
  const others = Object.entries(model).filter(
    ([key]) => !lists.some((list) => list === key) && !isRemoved(removed, undefined, key),
  );
  return { model: semanticModelSchema.parse(Object.fromEntries([...others, ...kept])), removed };
}

function isRemoved(removed: readonly RemovedEntry[], list: EntryListKey | undefined, name: string): boolean {
  return removed.some((each) => each.list === list && each.name === name);
}

/** Returns the name of an entry. A join without a name has the name of the model that it leads to. */
export function nameAt(model: SemanticModel, list: EntryListKey, index: number): string {
  const entry = model[list]?.[index];
  return entry?.name ?? (entry && "to" in entry ? entry.to : "");
}
