/** Reads models from their files and checks them. Each fault is reported with its file, line and nearest name. */
import type { SemanticFacts } from "../models/model-facts.ts";
import { type SemanticModel, semanticModelSchema } from "../models/model-schema.ts";
import type { ModelSet } from "../models/model-set.ts";
import { checkSemanticModels } from "./check-models.ts";
import type { EntryProblem } from "./entry-problem.ts";
import type { LocatedModel } from "./located-model.ts";
import { ModelDocument } from "./model-document.ts";
import type { ModelProblem } from "./model-problem.ts";
import { schemaProblems } from "./schema-problems.ts";

export interface ModelFile {
  /** The file name for messages. */
  readonly file: string;
  readonly text: string;
}

export interface ReadModels {
  /** The models; missing if there is a problem. */
  readonly models: ModelSet | undefined;
  /** The problems, in the order of the files and their lines. */
  readonly problems: readonly ModelProblem[];
}

/** Reads and checks models, one in each file. Does not throw for invalid files. */
export function readModelFiles(files: readonly ModelFile[], facts: SemanticFacts = {}): ReadModels {
  const problems: ModelProblem[] = [];
  const documents = new Map<SemanticModel, ModelDocument>();
  const read = files.flatMap(({ file, text }) => {
    const document = ModelDocument.parse(file, text);
    const model = readModel(document);
    if (Array.isArray(model)) {
      problems.push(...model);
      return [];
    }
    documents.set(model, document);
    return [{ model, file }];
  });
  const checked = checkSemanticModels(read, facts, problems.length > 0);
  const placed = checked.problems
    .filter(isCertainFor(read, facts))
    .map(({ model, path, message, nearest }): ModelProblem => {
      return { message, position: documents.get(model)?.at(path) ?? { file: model.name }, nearest };
    });
  const order = files.map(({ file }) => file);
  const all = [...problems, ...placed].toSorted((a, b) => byPosition(a, b, order));
  return { models: all.length === 0 ? checked.models : undefined, problems: all };
}

/**
 * Whether a problem would remain if all types were known. An expression over a column of unknown type may be valid for the column's actual
 * type.
 */
export function isCertainFor(
  read: readonly LocatedModel[],
  { columns }: SemanticFacts,
): (problem: EntryProblem) => boolean {
  const isOpen = columns !== undefined && read.some(({ model }) => !Object.hasOwn(columns, model.name));
  return ({ reason }) => !isOpen || reason !== "unsupported";
}

/** Reads models, one in each file, and checks only that they match the schema. Does not throw for invalid files. */
export function parseModelFiles(files: readonly ModelFile[]): {
  readonly models: readonly SemanticModel[];
  readonly problems: readonly ModelProblem[];
} {
  const read = files.map(({ file, text }) => readModel(ModelDocument.parse(file, text)));
  return {
    models: read.flatMap((each) => (Array.isArray(each) ? [] : [each])),
    problems: read.flatMap((each) => (Array.isArray(each) ? each : [])),
  };
}

function readModel(document: ModelDocument): SemanticModel | ModelProblem[] {
  if (document.fault) return [document.fault];
  let raw: unknown;
  try {
    raw = document.read();
  } catch {
    const message = "An alias in the file cannot be expanded. Write the value itself.";
    return [{ message, position: document.at([]) }];
  }
  const parsed = semanticModelSchema.safeParse(raw ?? {}, { reportInput: true });
  return parsed.success ? parsed.data : [...schemaProblems(document, parsed.error.issues)];
}

function byPosition({ position: a }: ModelProblem, { position: b }: ModelProblem, order: readonly string[]): number {
  return (
    order.indexOf(a.file) - order.indexOf(b.file) || (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)
  );
}
