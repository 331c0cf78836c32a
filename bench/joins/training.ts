import type { JoinModels } from "../../packages/context/src/joins/scores/models.ts";
import { type DataSet, perturbDataSet } from "./data-set.ts";
import { fitModels, fitUnnamed } from "./fit-models.ts";

/** Copies of data sets, by the name of their change. */
export type Copies = ReadonlyMap<string, readonly DataSet[]>;

/** The changed copies that models are also fitted on, so that they do not rely on one style of names or on clean data. */
const namedCopies = ["translated", "unprefixed", "prefixed", "orphans", "empty", "lines", "trimmed"] as const;
const unnamedCopies = ["opaque", "orphans", "lines", "trimmed"] as const;
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

/** Whether models are fitted on a family. */
export type IsIncluded = (family: string) => boolean;

/** Fits single-column models on data sets, on their copies and on generated databases. */
export class Training {
  readonly #sets: readonly DataSet[];
  readonly #copies: Copies;
  readonly #generated: readonly DataSet[];

  constructor(sets: readonly DataSet[], copies: Copies, generated: readonly DataSet[]) {
    this.#sets = sets;
    this.#copies = copies;
    this.#generated = generated;
  }

  /** The unchanged data sets for the fit, without copies. */
  get originals(): readonly DataSet[] {
    return [...this.#sets, ...this.#generated];
  }

  /** Fits models on data sets with their names. `start` is a model near the result, which shortens the fit. */
  fitNamed(isIncluded: IsIncluded, start?: JoinModels): JoinModels {
    return fitModels(this.#choose(namedCopies, isIncluded), start);
  }

  fitUnnamed(isIncluded: IsIncluded, start?: JoinModels): JoinModels {
    return fitUnnamed(this.#choose(unnamedCopies, isIncluded), start);
  }

  #choose(copies: readonly string[], isIncluded: IsIncluded): readonly DataSet[] {
    const all = [this.#sets, ...copies.map((name) => this.#copies.get(name) ?? []), this.#generated].flat();
    return all.filter(({ family }) => isIncluded(family));
  }
}
