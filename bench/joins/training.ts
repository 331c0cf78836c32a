import type { JoinModelSets, JoinModels } from "../../packages/context/src/joins/score-candidates.ts";
import { type DataSet, perturbDataSet } from "./data-set.ts";
import { fitModels, fitUnnamed } from "./fit-models.ts";

/** Copies of data sets by the name of what was changed in them. */
export type Copies = ReadonlyMap<string, readonly DataSet[]>;

/** The models are also fitted on copies, so that they do not rely on one style of names or on clean data. */
const namedCopies = ["translated", "unprefixed", "prefixed", "orphans", "empty", "lines"] as const;
const unnamedCopies = ["opaque", "orphans", "lines"] as const;
export const trainingCopies: readonly string[] = [...new Set([...namedCopies, ...unnamedCopies])];

export async function copyDataSets(sets: readonly DataSet[], perturbations: Iterable<string>): Promise<Copies> {
  const copies = new Map<string, DataSet[]>();
  for (const name of perturbations) {
    const own: DataSet[] = [];
    for (const set of sets) own.push(await perturbDataSet(set, name));
    copies.set(name, own);
  }
  return copies;
}

/** Models fitted on the data sets with these names and on their copies. */
export class Training {
  readonly #sets: readonly DataSet[];
  readonly #copies: Copies;

  constructor(sets: readonly DataSet[], copies: Copies) {
    this.#sets = sets;
    this.#copies = copies;
  }

  fitAll(): JoinModelSets {
    return { named: this.fitNamed(() => true), unnamed: this.fitUnnamed(() => true) };
  }

  fitNamed(isIncluded: (name: string) => boolean): JoinModels {
    return fitModels(this.#choose(namedCopies, isIncluded));
  }

  fitUnnamed(isIncluded: (name: string) => boolean): JoinModels {
    return fitUnnamed(this.#choose(unnamedCopies, isIncluded));
  }

  #choose(copies: readonly string[], isIncluded: (name: string) => boolean): readonly DataSet[] {
    const all = [this.#sets, ...copies.map((name) => this.#copies.get(name) ?? [])].flat();
    return all.filter(({ name }) => isIncluded(name));
  }
}
