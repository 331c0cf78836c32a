import { nearest, suggestion } from "@bridle/protocol";
import type { SemanticModel } from "../models/model-schema.ts";
import type { EntryProblem } from "./entry-problem.ts";
import type { LocatedModel } from "./located-model.ts";
import type { ModelPath } from "./model-problem.ts";

type Entries = readonly { readonly name?: string | undefined; readonly path: ModelPath }[];

/** Finds names that occur twice, and joins and times that refer to names that do not exist. */
export function checkNames(own: LocatedModel, all: readonly LocatedModel[], isPartial: boolean): EntryProblem[] {
  const { model } = own;
  const problems: EntryProblem[] = [];
  const add = (path: ModelPath, message: string, near?: readonly string[]) =>
    problems.push({ model, path, message, nearest: near });
  const first = all.find((each) => each.model.name === model.name);
  if (first && first !== own) add(["name"], `The model "${model.name}" is in ${first.file} too. Rename one of them.`);
  for (const entries of namesOf(model)) {
    for (const { name, path } of entries.filter(({ name: each }, index) => isSecond(entries, each, index)))
      add(path, `The name "${name}" occurs twice in ${model.name}. Rename one of them.`);
  }
  const models = all.map((each) => each.model.name);
  for (const [index, { to }] of (model.joins ?? []).entries()) {
    if (models.includes(to) || isPartial) continue;
    add(["joins", index, "to"], `There is no model "${to}".${suggestion(to, models)}`, nearest(to, models));
  }
  const dimensions = (model.dimensions ?? []).map(({ name }) => name);
  const time = model.default_time;
  if (time !== undefined && !dimensions.includes(time))
    add(
      ["default_time"],
      `There is no dimension "${time}" in ${model.name}.${suggestion(time, dimensions)}`,
      nearest(time, dimensions),
    );
  return problems;
}

/** Returns lists of names that must be unique. Measures and metrics share one list. */
function namesOf({
  joins = [],
  dimensions = [],
  measures = [],
  metrics = [],
  segments = [],
}: SemanticModel): Entries[] {
  const of = (key: string, entries: readonly { readonly name?: string | undefined }[]): Entries =>
    entries.map(({ name }, index) => ({ name, path: [key, index, "name"] }));
  return [
    joins.map(({ name, to }, index) => ({ name: name ?? to, path: ["joins", index] })),
    of("dimensions", dimensions),
    [...of("measures", measures), ...of("metrics", metrics)],
    of("segments", segments),
  ];
}

function isSecond(entries: Entries, name: string | undefined, index: number): boolean {
  return entries.findIndex((other) => other.name === name) < index;
}
