/** Reads models from files with faults. Entries that do not depend on a fault can be used. */
import type { SemanticFacts } from "../models/model-facts.ts";
import { type SemanticModel, semanticModelSchema } from "../models/model-schema.ts";
import { checkSemanticModels } from "./check-models.ts";
import type { LocatedModel } from "./located-model.ts";
import { ModelDocument } from "./model-document.ts";
import type { ModelProblem } from "./model-problem.ts";
import { isCertainFor, type ModelFile } from "./read-model-files.ts";
import { nameAt, type RemovedEntry, withoutFaultyEntries } from "./without-faulty-entries.ts";

/** An entry that cannot be used, with its own fault or the fault of an entry that it depends on. */
export interface LeftOutEntry {
  readonly model: string;
  /** The dimension, measure, metric, segment or join. If missing, the whole model is left out. */
  readonly name?: string | undefined;
  readonly problem: ModelProblem;
}

export interface UsableModelFiles {
  readonly models: readonly SemanticModel[];
  readonly leftOut: readonly LeftOutEntry[];
}

/** Reads the files that match the schema, and leaves out faulty entries and everything that depends on them. */
export function readUsableModels(files: readonly ModelFile[], facts: SemanticFacts): UsableModelFiles {
  return new UsableModelReader(files).read(facts);
}

class UsableModelReader {
  readonly #documents = new Map<string, { readonly model: SemanticModel; readonly document: ModelDocument }>();
  readonly #leftOut: LeftOutEntry[] = [];
  #models: readonly LocatedModel[] = [];

  constructor(files: readonly ModelFile[]) {
    this.#models = files.flatMap(({ file, text }) => {
      const document = ModelDocument.parse(file, text);
      const model = modelOf(document);
      if (!model || this.#documents.has(model.name)) return [];
      this.#documents.set(model.name, { model, document });
      return [{ model, file }];
    });
  }

  /** Reads the models in rounds, each of which removes at least one entry. */
  read(facts: SemanticFacts): UsableModelFiles {
    for (;;) {
      const checked = checkSemanticModels(this.#models, facts, false);
      const problems = checked.problems.filter(isCertainFor(this.#models, facts));
      if (problems.length === 0) return { models: this.#models.map(({ model }) => model), leftOut: this.#leftOut };
      const byModel = Map.groupBy(problems, ({ model }) => model);
      const earlier = [...this.#leftOut];
      this.#models = this.#models.flatMap(({ model, file }) => {
        const { model: rest, removed } = withoutFaultyEntries(model, byModel.get(model) ?? []);
        for (const each of removed) this.#note(model.name, each, rest === undefined, earlier);
        return rest ? [{ model: rest, file }] : [];
      });
    }
  }

  /** Notes a left-out entry. An entry that refers to it is left out for the same reason. */
  #note(model: string, { problem, list, name }: RemovedEntry, isWhole: boolean, earlier: readonly LeftOutEntry[]) {
    const cause = earlier.find((each) => problem.message.includes(`"${each.name ?? each.model}"`));
    const found = this.#documents.get(model);
    const path = list && found ? [list, indexOf(found.model, list, name), ...problem.path.slice(2)] : problem.path;
    const position = found?.document.at(path) ?? { file: model };
    const { message, nearest } = problem;
    const own: ModelProblem = { message, position, nearest };
    this.#leftOut.push({ model, name: isWhole ? undefined : name, problem: cause?.problem ?? own });
  }
}

function indexOf(model: SemanticModel, list: NonNullable<RemovedEntry["list"]>, name: string): number {
  return (model[list] ?? []).findIndex((_, index) => nameAt(model, list, index) === name);
}

function modelOf(document: ModelDocument): SemanticModel | undefined {
  if (document.fault) return undefined;
  try {
    return semanticModelSchema.safeParse(document.read()).data;
  } catch {
    return undefined; // an alias cannot be expanded
  }
}
