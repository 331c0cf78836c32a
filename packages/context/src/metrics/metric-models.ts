import {
  type KeyViolation,
  type ModelProblem,
  ModelSet,
  readModelFiles,
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
  readonly models: readonly PlacedModel[];
  /** If there is one, no query is answered. */
  readonly problems: readonly ModelProblem[];
  readonly version: string;
}

/** Reads the models, again only if a file or what is known has changed. */
export class MetricModels {
  readonly #folder: Pick<ModelFolder, "read">;
  readonly #knowledge: Knowledge;
  readonly #connections: readonly string[];
  readonly #statements: StatementColumns | undefined;
  #read: ReadMetricModels | undefined;

  /** `statements` have the columns of models whose rows are those of a statement. */
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

  /** Whether there are files of models, right or wrong. */
  get exist(): boolean {
    const { files, problems } = this.#folder.read();
    return files.length + problems.length > 0;
  }

  read(): ReadMetricModels {
    const version = `${this.#folder.read().version}/${this.#knowledge.version()}/${this.#statements?.version}`;
    if (this.#read?.version !== version) this.#read = { version, ...this.#readAll() };
    return this.#read;
  }

  #readAll(): Pick<ReadMetricModels, "models" | "problems"> {
    const { files, problems: unread } = this.#folder.read();
    if (unread.length > 0) return { models: [], problems: unread };
    if (files.length === 0) return { models: [], problems: [] };
    const raw = files.map(({ file, text }) => ({ file, model: readModel(text) }));
    const fileOf = new Map(raw.map(({ file, model }) => [model?.name, file]));
    const all = raw.flatMap(({ model }) => (model === undefined ? [] : [model]));
    if (all.length < files.length) return { models: [], problems: readModelFiles(files).problems };
    const columnsOf: ColumnsOfStatement = (connection, sql) => this.#statements?.get(connection, sql);
    const placed = all.map((model) => placeModel(model, this.#knowledge, this.#connections, columnsOf));
    const position = ({ name }: SemanticModel) => ({ file: fileOf.get(name) ?? "context/models" });
    const misplaced = placed.flatMap((each, index) => {
      const model = all[index];
      return typeof each === "string" && model !== undefined ? [{ message: each, position: position(model) }] : [];
    });
    const models = placed.filter((each) => typeof each !== "string");
    const crossing = models.flatMap((each) =>
      crossings(each, models).map((message) => ({ message, position: position(each.model) })),
    );
    const problems = [...misplaced, ...crossing];
    if (problems.length > 0) return { models: [], problems };
    const checked = readModelFiles(files, { columns: columnsByModel(models) });
    return { models: checked.problems.length > 0 ? [] : models, problems: checked.problems };
  }
}

/** Undefined if the text is no model. `readModelFiles` says why. */
function readModel(text: string): SemanticModel | undefined {
  const document = parseDocument(text);
  if (document.errors.length > 0) return undefined;
  try {
    return semanticModelSchema.safeParse(document.toJS()).data;
  } catch {
    return undefined; // an alias that cannot be expanded
  }
}

/** One statement reads one connection. */
function crossings({ model, connection }: PlacedModel, models: readonly PlacedModel[]): readonly string[] {
  return (model.joins ?? []).flatMap(({ to }) => {
    const other = models.find((each) => each.model.name === to);
    if (other === undefined || other.connection === connection) return [];
    return [
      `The join of ${model.name} to ${to} leads from the connection ${connection} to ${other.connection}. Remove it.`,
    ];
  });
}

function columnsByModel(models: readonly PlacedModel[]) {
  return Object.fromEntries(
    models.flatMap(({ model, columns }) => (columns === undefined ? [] : [[model.name, columns] as const])),
  );
}

/** The models of one connection that a caller may see, ready for queries. */
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
