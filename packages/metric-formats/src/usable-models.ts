/** Removes imported entries that would have no correct result, and everything that depends on them. */
import {
  checkSemanticModels,
  type EntryProblem,
  type SemanticFacts,
  type SemanticModel,
  semanticModelSchema,
  withoutFaultyEntries,
} from "@bridle/semantic/model-parts";
import type { ImportReport } from "./import-report.ts";
import type { EntryList, PlaceOfEntry } from "./metric-format.ts";

const words: Readonly<Record<EntryList, string>> = {
  joins: "join",
  dimensions: "dimension",
  measures: "measure",
  segments: "segment",
  metrics: "metric",
};

/** Whether a problem is certain. An entry that cannot be computed for a column of unknown type may be computable for the actual type. */
function isCertain({ reason, model }: EntryProblem, { columns = {} }: SemanticFacts): boolean {
  return reason !== "unsupported" || Object.hasOwn(columns, model.name);
}

export class UsableModels {
  readonly #report: ImportReport;
  readonly #placeOf: PlaceOfEntry;
  #models: readonly SemanticModel[];

  constructor(models: readonly SemanticModel[], report: ImportReport, placeOf: PlaceOfEntry) {
    this.#report = report;
    this.#placeOf = placeOf;
    this.#models = models.filter((model) => this.#fitsSchema(model));
  }

  /** Returns the models without problems, as `readModelFiles` would report these. Each round removes at least one entry. */
  find(facts: SemanticFacts): readonly SemanticModel[] {
    for (;;) {
      const all = this.#models.map((model) => ({ model, file: model.name }));
      const problems = checkSemanticModels(all, facts, false).problems.filter((each) => isCertain(each, facts));
      if (problems.length === 0) return this.#models;
      const found = Map.groupBy(problems, ({ model }) => model);
      this.#models = this.#models.flatMap((model) => this.#without(model, found.get(model) ?? []));
    }
  }

  /** Leaves a model out. The next `find` also removes the joins to this model. */
  remove({ name }: SemanticModel, reason: string): void {
    this.#refuse(`model ${name}`, reason, name);
    this.#models = this.#models.filter((model) => model.name !== name);
  }

  replace(model: SemanticModel, other: SemanticModel): void {
    this.#models = this.#models.map((each) => (each === model ? other : each));
  }

  get models(): readonly SemanticModel[] {
    return this.#models;
  }

  #fitsSchema(model: SemanticModel): boolean {
    const { error } = semanticModelSchema.safeParse(model);
    const [issue] = error?.issues ?? [];
    if (issue) this.#refuse(`model ${model.name}`, `${issue.path.map(String).join(".")} ${issue.message}.`, model.name);
    return issue === undefined;
  }

  #without(model: SemanticModel, problems: readonly EntryProblem[]): readonly SemanticModel[] {
    const { model: rest, removed } = withoutFaultyEntries(model, problems);
    for (const { list, name, problem } of removed) {
      if (list !== undefined) this.#refuse(`${words[list]} ${name}`, problem.message, model.name, list, name);
      else this.#refuse(rest ? `${name} of ${model.name}` : `model ${model.name}`, problem.message, model.name);
    }
    return rest ? [rest] : [];
  }

  #refuse(subject: string, reason: string, model: string, list?: EntryList, name?: string): void {
    const position = this.#placeOf(model, list, name) ?? this.#placeOf(model) ?? { file: model };
    this.#report.add("refused", subject, reason, position);
  }
}
