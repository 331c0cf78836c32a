/** Provides the knowledge about a project that ingest needs: the names in its context, its tools, and its data. */
import { type OpenedContext, splitIdentifier } from "@bridle/context";
import { getErrorMessage, isBridleError } from "@bridle/protocol";
import { formatModelFile, type ModelFile, type SemanticModel, semanticModelSchema } from "@bridle/semantic";
import { parse } from "yaml";
import { KnownNames, type NamedTable } from "../claims/gates/known-names.ts";
import type { CandidateBody } from "../sources/candidate.ts";
import type { IngestKnowledge } from "./ingest-options.ts";
import { unasked } from "./remembered-checks.ts";

type ModelPart = Extract<CandidateBody, { kind: "model-part" }>;

/** The problems in model files. `OpenedContext.checkModelFiles` returns a matching type. */
interface FoundProblems {
  readonly problems: readonly { readonly message: string }[];
  readonly statements?: readonly { readonly model: string; readonly reason: string }[];
  readonly failing: readonly { readonly name: string; readonly reason: string }[];
  readonly violations: readonly {
    readonly model: string;
    readonly join?: string | undefined;
    readonly reason: string;
  }[];
}

export interface ContextKnowledgeOptions {
  readonly context: OpenedContext;
  /** The connections that agents may read. Tables in other connections are known, but their names are never shown. */
  readonly connections: readonly string[];
  /** The files of `context/models`. Default: none. */
  readonly modelFiles?: (() => readonly ModelFile[]) | undefined;
  /** Checks files as if they belonged to the project. If missing, parts of models are not checked here. */
  readonly checkModelFiles?:
    | ((
        files: readonly ModelFile[],
        options: { readonly measures: ReadonlySet<string>; readonly signal: AbortSignal },
      ) => Promise<FoundProblems>)
    | undefined;
}

/** Creates the knowledge from the open context of a project. */
export function createContextKnowledge(options: ContextKnowledgeOptions): IngestKnowledge {
  const knowledge = new ContextKnowledge(options);
  const { checkModelFiles } = options;
  return {
    names: () => knowledge.names(),
    version: () => knowledge.version(),
    placeModel: (model) => options.context.metrics.place(model),
    contextTools: options.context.tools({ connections: options.connections }).tools,
    checkJoin: (join, signal) => knowledge.checkJoin(join, signal),
    ...(checkModelFiles && {
      checkModelPart: (part, siblings, signal) => knowledge.checkModelPart(part, siblings, signal),
    }),
  };
}

class ContextKnowledge {
  readonly #options: ContextKnowledgeOptions;

  constructor(options: ContextKnowledgeOptions) {
    this.#options = options;
  }

  names(): KnownNames {
    const { context, connections } = this.#options;
    const isVisible = ({ connection }: NamedTable) => connections.includes(connection);
    return new KnownNames({ tables: this.#tables(), isVisible, models: namesOfModels(context, connections) });
  }

  /** Returns a string that changes with every scan and every file change. If it has changed, ingest queries the warehouse again. */
  version(): string {
    return JSON.stringify([this.#options.context.knowledge.version(), this.#options.modelFiles?.() ?? []]);
  }

  *#tables(): Iterable<NamedTable> {
    for (const { id, connection, schema, table, columns } of this.#options.context.knowledge.tables())
      yield { id, connection, schema, table, columns: columns.map(({ name }) => name) };
  }

  /** Checks a join. Refuses it for now if the data cannot be queried because the connection is lost. */
  async checkJoin(join: Extract<CandidateBody, { kind: "join" }>, signal: AbortSignal): Promise<string | undefined> {
    const [from, to] = [endOf(join.from), endOf(join.to)];
    if (from === undefined || to === undefined) return "Write columns as connection.schema.table.column.";
    if (from.connection !== to.connection) return "It leads from one connection to another.";
    try {
      const proposal = { from, to, model: "documents" };
      const [judged] = await this.#options.context.joins.judge(from.connection, [proposal], signal);
      return judged?.outcome === "refuted" ? judged.reason : undefined;
    } catch (error) {
      return explainUnasked(error, signal);
    }
  }

  async checkModelPart(
    part: ModelPart,
    siblings: readonly ModelPart[],
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { modelFiles = () => [], checkModelFiles } = this.#options;
    const drafted = draftModel([...siblings.filter(({ model }) => model === part.model), part], modelFiles());
    if (typeof drafted === "string") return drafted;
    try {
      const name = `${part.model}.${part.name}`;
      const found = await checkModelFiles?.(drafted.files, { measures: new Set([name]), signal });
      return found && problemOf(part, found);
    } catch (error) {
      return explainUnasked(error, signal);
    }
  }
}

function explainUnasked(error: unknown, signal: AbortSignal): string {
  signal.throwIfAborted();
  if (!isBridleError(error)) throw error;
  return `${unasked}: ${getErrorMessage(error)}`;
}

/** Returns the names that queries use; empty if a file is wrong. */
function namesOfModels(context: OpenedContext, connections: readonly string[]): readonly string[] {
  if (context.metrics.problems.length > 0) return [];
  try {
    return context.metrics.list({ connections }).flatMap(({ name, measures, dimensions, segments, joins }) => {
      const entries = [...measures, ...dimensions, ...segments, ...joins].map((entry) => entry.name);
      return [name, ...entries, ...entries.map((entry) => entry.slice(entry.indexOf(".") + 1))];
    });
  } catch (error) {
    if (isBridleError(error)) return [];
    throw error;
  }
}

function endOf(columns: readonly string[]) {
  const paths = columns.map((column) => splitIdentifier(column));
  const [first] = paths;
  if (first === undefined || paths.some((path) => path?.length !== 4)) return undefined;
  const [connection = "", schema = "", table = ""] = first;
  const id = columns[0]?.slice(0, columns[0].lastIndexOf(".")) ?? "";
  return { connection, schema, tableName: table, table: id, columns: paths.map((path) => path?.[3] ?? "") };
}

const lists: Readonly<Record<Exclude<ModelPart["part"], "model">, string>> = {
  join: "joins",
  dimension: "dimensions",
  measure: "measures",
  metric: "metrics",
  segment: "segments",
};

/**
 * Returns the project's files with a model made of these parts, or the reason why that model is invalid. If two parts have the same name,
 * the last one counts.
 */
function draftModel(
  parts: readonly ModelPart[],
  files: readonly ModelFile[],
): { readonly files: readonly ModelFile[] } | string {
  const [first] = parts;
  const name = first?.model ?? "";
  const present = files.map((file) => ({ file, model: semanticModelSchema.safeParse(parse(file.text)).data }));
  const own = present.find(({ model }) => model?.name === name);
  const base: Record<string, unknown> = { ...(own?.model ?? { name, ...placeOf(first?.table ?? "") }) };
  for (const { part, name: entry, entry: value } of parts) {
    if (part === "model") Object.assign(base, value);
    else
      base[lists[part]] = [
        ...entriesIn(base[lists[part]]).filter((each) => nameIn(each) !== entry),
        { ...value, name: entry },
      ];
  }
  const checked = semanticModelSchema.safeParse(base);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    return `It is not a valid entry of a model: ${issue?.path.join(".")}: ${issue?.message}.`;
  }
  const model: SemanticModel = checked.data;
  const file = { file: own?.file.file ?? `context/models/${name}.yaml`, text: formatModelFile(model) };
  return { files: [...files.filter((each) => each !== own?.file), file] };
}

function placeOf(table: string): { readonly connection?: string; readonly table: string } {
  const [connection, ...rest] = splitIdentifier(table) ?? [table];
  return rest.length === 2 && connection !== undefined ? { connection, table: rest.join(".") } : { table };
}

function entriesIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function nameIn(entry: unknown): unknown {
  return typeof entry === "object" && entry !== null && "name" in entry ? entry.name : undefined;
}

function problemOf(
  part: ModelPart,
  { problems, statements = [], failing, violations }: FoundProblems,
): string | undefined {
  const [problem] = problems;
  if (problem !== undefined) return problem.message;
  const broken = statements.find(({ model }) => model === part.model);
  if (broken !== undefined) return broken.reason;
  const failed = failing.find(({ name }) => name === `${part.model}.${part.name}`);
  if (failed !== undefined) return failed.reason;
  const declares = (join: string | undefined) =>
    part.part === "join" ? join === part.name : part.part === "model" && join === undefined;
  return violations.find(({ model, join }) => model === part.model && declares(join))?.reason;
}
