import { omitUndefined } from "@bridle/protocol";
import {
  type KeyViolation,
  type LeftOutEntry,
  type ModelProblem,
  ModelSet,
  readModelFiles,
  readUsableModels,
  type SemanticModel,
  semanticModelSchema,
} from "@bridle/semantic";
import { parseDocument } from "yaml";
import type { Knowledge } from "../knowledge/knowledge.ts";
import type { IsVisible } from "../knowledge/known.ts";
import type { ModelFolder } from "./model-folder.ts";
import { type ColumnsOfStatement, type PlacedModel, placeModel } from "./model-table.ts";
import type { StatementColumns } from "./statement-columns.ts";

/** The models of a project, with the tables that the scan knows. */
export interface ReadMetricModels {
  /** The models without faulty entries, and without entries that depend on faulty ones. */
  readonly models: readonly PlacedModel[];
  /** The problems in the files. */
  readonly problems: readonly ModelProblem[];
  /** The entries that no query can use, with the reasons. */
  readonly leftOut: readonly LeftOutEntry[];
  readonly version: string;
}

/** Reads the models, again only if a file or the knowledge has changed. */
export class MetricModels {
  readonly #folder: Pick<ModelFolder, "read">;
  readonly #knowledge: Knowledge;
  readonly #connections: readonly string[];
  readonly #statements: StatementColumns | undefined;
  #read: ReadMetricModels | undefined;

  /** `statements` knows the columns of models that are based on a statement. */
  constructor(
    folder: Pick<ModelFolder, "read">,
    knowledge: Knowledge,
    connections: readonly string[],
    statements?: StatementColumns,
  ) {
    this.#folder = folder;
    this.#knowledge = knowledge;
    this.#connections = connections;
    this.#statements = statements;
  }

  /** Whether the project has model files, valid or not. */
  get exist(): boolean {
    const { files, problems } = this.#folder.read();
    return files.length + problems.length > 0;
  }

  read(): ReadMetricModels {
    const version = `${this.#folder.read().version}/${this.#knowledge.version()}/${this.#statements?.version}`;
    if (this.#read?.version !== version) this.#read = { version, ...this.#readAll() };
    return this.#read;
  }

  #readAll(): Omit<ReadMetricModels, "version"> {
    const { files, problems: unread } = this.#folder.read();
    const raw = files.map((each) => ({ ...each, model: readModel(each.text) }));
    const columnsOf: ColumnsOfStatement = (connection, sql) => this.#statements?.get(connection, sql);
    const placed = raw.map((each) => ({
      ...each,
      placed: each.model && placeModel(each.model, this.#knowledge, this.#connections, columnsOf),
    }));
    const models = placed.flatMap(({ placed: each }) => (typeof each === "object" ? [each] : []));
    const misplaced = placed.flatMap(({ placed: each, model, file }) =>
      typeof each === "string" && model ? [{ model: model.name, problem: { message: each, position: { file } } }] : [],
    );
    const crossing = placed.flatMap(({ placed: each, file }) =>
      typeof each === "object" ? crossings(each, models).map((entry) => withPosition(entry, file)) : [],
    );
    const columns = columnsByModel(models);
    const ofFiles = readModelFiles(files, { columns }).problems;
    const isPlaced = misplaced.length + crossing.length === 0;
    const problems = [...unread, ...(isPlaced ? ofFiles : [...misplaced, ...crossing].map(({ problem }) => problem))];
    if (problems.length === 0) return { models, problems, leftOut: [] };
    const unreadable = raw.flatMap(({ file, model }) => (model ? [] : leftOutFile(file, ofFiles)));
    const wrong = [...unread.flatMap((problem) => leftOutFile(problem.position.file, [problem])), ...unreadable];
    const usable = readUsableModels(
      placed.filter(({ placed: each }) => typeof each === "object"),
      { columns },
    );
    const leftOut = [...wrong, ...misplaced, ...crossing, ...usable.leftOut];
    return { models: usable.models.flatMap((model) => replaced(model, models)), problems, leftOut };
  }
}

/** Returns the model as written in its file, without the entries that were left out, and with its table and connection. */
function replaced(model: SemanticModel, placed: readonly PlacedModel[]): readonly PlacedModel[] {
  const found = placed.find((each) => each.model.name === model.name);
  if (!found) return [];
  const { connection, table } = found.model;
  return [{ ...found, model: { ...model, ...omitUndefined({ connection, table }) } }];
}

/** Reports a file as left out. If it cannot be read, the file's name identifies its model. */
function leftOutFile(file: string, problems: readonly ModelProblem[]): readonly LeftOutEntry[] {
  const problem = problems.find(({ position }) => position.file === file);
  const name = file
    .split("/")
    .at(-1)
    ?.replace(/\.ya?ml$/, "");
  return problem && name !== undefined ? [{ model: name, problem }] : [];
}

function withPosition({ problem, ...entry }: LeftOutEntry, file: string): LeftOutEntry {
  return { ...entry, problem: { ...problem, position: { file } } };
}

/** Reads a model; undefined if the text is not a model. `readModelFiles` reports the reason. */
function readModel(text: string): SemanticModel | undefined {
  const document = parseDocument(text);
  if (document.errors.length > 0) return undefined;
  try {
    return semanticModelSchema.safeParse(document.toJS()).data;
  } catch {
    return undefined; // an alias cannot be expanded
  }
}

/** Finds joins between connections, which no statement can follow. */
function crossings({ model, connection }: PlacedModel, models: readonly PlacedModel[]): readonly LeftOutEntry[] {
  return (model.joins ?? []).flatMap(({ to, name = to }) => {
    const other = models.find((each) => each.model.name === to);
    if (other === undefined || other.connection === connection) return [];
    const message = `The join of ${model.name} to ${to} leads from the connection ${connection} to ${other.connection}. Remove it.`;
    return [{ model: model.name, name, problem: { message, position: { file: model.name } } }];
  });
}

function columnsByModel(models: readonly PlacedModel[]) {
  return Object.fromEntries(
    models.flatMap(({ model, columns }) => (columns === undefined ? [] : [[model.name, columns] as const])),
  );
}

/** Returns the models of one connection that a caller may see, ready for queries. */
export function modelSetFor(
  models: readonly PlacedModel[],
  connection: string,
  isVisible: IsVisible,
  violations: readonly KeyViolation[] = [],
): ModelSet {
  const own = models.filter((each) => each.connection === connection && each.tables.every(isVisible));
  const names = new Set(own.map(({ model }) => model.name));
  const columns = columnsByModel(own);
  const reachable = own.map(({ model }) =>
    model.joins === undefined ? model : { ...model, joins: model.joins.filter(({ to }) => names.has(to)) },
  );
  return new ModelSet(reachable, { columns, violations });
}
