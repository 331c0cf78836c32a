import type { SourcePosition } from "@bridle/protocol";
import type { EntryList } from "../metric-format.ts";
import type { LinkedModel } from "./element-names.ts";
import { renamedMeasure } from "./owned-measures.ts";
import type { MetricFlowProject, Placed } from "./read-project.ts";

type Named = Placed<{ readonly name: string }>;

/** Finds the positions of imported models' entries in the files. */
export class MetricFlowPlaces {
  readonly #linked: ReadonlyMap<string, LinkedModel>;
  readonly #project: MetricFlowProject;

  constructor(linked: ReadonlyMap<string, LinkedModel>, project: MetricFlowProject) {
    this.#linked = linked;
    this.#project = project;
  }

  /** Returns the position of the entry, or if it has no position of its own, the position of the model. */
  of(name: string, list?: EntryList, entry?: string): SourcePosition {
    const model = this.#linked.get(name)?.model;
    const found = entry === undefined ? undefined : this.#entriesOf(name, list).find((each) => isFrom(each, entry));
    return (found?.at ?? model?.at)?.position ?? { file: name };
  }

  #entriesOf(name: string, list: EntryList | undefined): readonly Named[] {
    const { measures = [], dimensions = [], entities = [] } = this.#linked.get(name)?.model ?? {};
    if (list === "measures") return measures;
    if (list === "metrics") return longestFirst(this.#project.metrics);
    return list === "joins" ? longestFirst(entities) : [...dimensions, ...entities];
  }
}

/** Whether `entry` was made from a value. If so, its name is the value's name, or begins with that name and two underscores. */
function isFrom({ value }: Named, entry: string): boolean {
  return value.name === entry || renamedMeasure(value.name) === entry || entry.startsWith(`${value.name}__`);
}

function longestFirst(entries: readonly Named[]): readonly Named[] {
  return entries.toSorted((a, b) => b.value.name.length - a.value.name.length);
}
