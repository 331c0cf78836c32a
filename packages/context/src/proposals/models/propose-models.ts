import { ConfigError, formatPosition } from "@bridle/protocol";
import { type ModelFile, type SemanticModel, semanticModelSchema } from "@bridle/semantic";
import type { StructuredValue } from "@bridle/warehouse";
import { parse } from "yaml";
import { formatTableId } from "../../facts/identifiers.ts";
import type { KnownTable } from "../../knowledge/known.ts";
import type { CheckedMeasure } from "../../metrics/check-metrics.ts";
import { describeModel } from "../../metrics/describe-models.ts";
import { MetricModels } from "../../metrics/metric-models.ts";
import type { ReadFolder } from "../../metrics/model-folder.ts";
import type { PlacedModel } from "../../metrics/model-table.ts";
import { chooseTables } from "./choose-tables.ts";
import { DraftChecks, type DraftChecksOptions } from "./draft-checks.ts";
import { draftModel } from "./draft-model.ts";
import { formatProposedModel, type ProposedModel, wholeModel } from "./drafts.ts";
import { areEmpty, findAdditions } from "./find-additions.ts";
import { type ImproveOptions, improveDrafts } from "./improve-drafts.ts";
import { columnOfExpression, takeModelName, toModelName } from "./model-names.ts";

export interface ModelProposalRequest extends Omit<ImproveOptions, "generate"> {
  /** Asks a model. Default: no model is called. */
  readonly generate?: ImproveOptions["generate"] | undefined;
  /** The identifier of a table: only that, and what its joins lead to. Default: the tables with the most joins. */
  readonly table?: string | undefined;
  /** Default: all connections. */
  readonly connection?: string | undefined;
}

/** A measure that was run, with what the scan knows about its column. */
export interface ProposedMeasure {
  /** `model.name` */
  readonly name: string;
  readonly formula: string;
  readonly value: StructuredValue;
  /** Of the column, as the scan measured it. */
  readonly column?:
    | {
        readonly rows: number;
        readonly nulls: number;
        readonly min?: string | undefined;
        readonly max?: string | undefined;
      }
    | undefined;
}

export interface ModelProposal {
  readonly model: SemanticModel;
  /** The file that has the model already, and is only added to. */
  readonly file?: string | undefined;
  readonly before: string;
  readonly after: string;
  readonly measures: readonly ProposedMeasure[];
  /** `model.name` of dimensions and joins that are new. */
  readonly dimensions: readonly string[];
  readonly joins: readonly string[];
}

export interface ModelProposals {
  readonly models: readonly ModelProposal[];
  /** What was left out and why, as sentences. */
  readonly notes: readonly string[];
  readonly calls: number;
  readonly tokens: number;
  /** Tables whose drafts no model improved, each with the reason. */
  readonly failed: readonly { readonly table: string; readonly reason: string }[];
}

type ProposerOptions = Omit<DraftChecksOptions, "existing"> & ModelProposalRequest;

/**
 * Drafts models of tables: keys, joins, times, groups and measures. With `generate`, a model chooses, names and describes them.
 * Each measure is run. Models that exist are only added to, and nothing is written.
 *
 * @throws ConfigError if nothing was scanned, a file of `context/models` is wrong, or there is no such table; the error of the
 * first call if every call of the model fails; a BridleError of the warehouse.
 */
export async function proposeModels(options: ProposerOptions): Promise<ModelProposals> {
  const existing = readExisting(options);
  const { drafts, notes } = draftAll(options, existing);
  const { generate } = options;
  const improved =
    generate === undefined
      ? { drafts, calls: 0, tokens: 0, failed: [] }
      : await improveDrafts(drafts, { ...options, generate });
  const open = improved.drafts.filter(isNew);
  const checks = new DraftChecks(open, { ...options, existing });
  const measures = open.length === 0 ? [] : await checks.run();
  const models = checks.drafts.filter(isNew).map((draft) => toProposal(draft, measures));
  const { calls, tokens, failed } = improved;
  return { models, notes: [...notes, ...checks.notes], calls, tokens, failed };
}

/** Throws ConfigError if a file is wrong: what it says could not be told from what is new. */
function readExisting({ folder, knowledge, connections }: ProposerOptions): readonly PlacedModel[] {
  const { models, problems } = new MetricModels({ read: () => folder }, knowledge, connections).read();
  const [first] = problems;
  if (first !== undefined) {
    throw new ConfigError(`${formatPosition(first.position)}: ${first.message}`, { field: "context/models" });
  }
  return models;
}

function draftAll(
  { knowledge, connections, connection, table, folder }: ProposerOptions,
  existing: readonly PlacedModel[],
): { drafts: readonly ProposedModel[]; notes: readonly string[] } {
  const isWanted = (path: { readonly connection: string }) =>
    connections.includes(path.connection) && (connection === undefined || path.connection === connection);
  const tables = [...knowledge.tables(isWanted)];
  if (tables.length === 0) throw new ConfigError('Nothing has been scanned. Run "bridle context scan" first.', {});
  const wanted = table === undefined ? undefined : tables.find(({ id }) => id === table);
  if (table !== undefined && wanted === undefined) throw new ConfigError(`There is no table ${table}.`, {});
  const joins = knowledge.joins(undefined, isWanted).filter(({ status }) => status === "accepted");
  const plain = joins.filter(
    ({ condition, from, to }) =>
      condition === undefined && connectionOf(from.table, tables) === connectionOf(to.table, tables),
  );
  const { chosen, left } = chooseTables(tables, plain, wanted);
  const names = nameModels(chosen, existing);
  const notes: string[] =
    left === 0 ? [] : [`${left} tables with fewer joins and rows were left out. Name one to draft it.`];
  const drafts = chosen.map((each): ProposedModel => {
    const own = plain.filter(({ from }) => from.table === each.id);
    const drafted = draftModel(each, { names, joins: own, namesConnection: connections.length > 1 });
    const placed = existing.find(({ table: own }) => own !== undefined && formatTableId(own) === each.id);
    const additions = findAdditions(drafted.model, placed?.model);
    if (placed === undefined || !areEmpty(additions)) notes.push(...drafted.notes);
    return placed === undefined
      ? { table: each, model: drafted.model, additions }
      : { table: each, model: placed.model, existing: fileOf(placed.model.name, folder), additions };
  });
  return { drafts, notes };
}

function connectionOf(id: string, tables: readonly KnownTable[]): string | undefined {
  return tables.find((table) => table.id === id)?.connection;
}

/** The names of models by the identifiers of their tables: those of files, and new ones. */
function nameModels(chosen: readonly KnownTable[], existing: readonly PlacedModel[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { model, table } of existing) {
    const id = table && formatTableId(table);
    if (id !== undefined && !names.has(id)) names.set(id, model.name);
  }
  const taken = new Set(existing.map(({ model }) => model.name.toLowerCase()));
  for (const { id, schema, table } of chosen) {
    if (names.has(id)) continue;
    const plain = toModelName(table);
    names.set(id, takeModelName(taken.has(plain.toLowerCase()) ? toModelName(`${schema}_${table}`) : plain, taken));
  }
  return names;
}

function fileOf(name: string, { files }: ReadFolder): ModelFile | undefined {
  return files.find(({ text }) => semanticModelSchema.safeParse(parse(text)).data?.name === name);
}

function isNew({ existing, additions }: ProposedModel): boolean {
  return existing === undefined || !areEmpty(additions);
}

function toProposal(draft: ProposedModel, run: readonly CheckedMeasure[]): ModelProposal {
  const { table, existing, additions } = draft;
  const model = wholeModel(draft);
  const path = { connection: table.connection, schema: table.schema, table: table.table };
  const formulas = new Map(
    describeModel({ model, connection: table.connection, table: path }).measures.map(({ name, formula }) => [
      name,
      formula,
    ]),
  );
  const own = run.filter(({ name }) => name.startsWith(`${model.name}.`));
  return {
    model,
    file: existing?.file,
    before: existing?.text ?? "",
    after: formatProposedModel(draft),
    measures: own.map(({ name, value = null }) => ({
      ...{ name, formula: formulas.get(name) ?? "", value },
      column: measuredColumn(name.slice(model.name.length + 1), model, table),
    })),
    dimensions: additions.dimensions.map(({ name }) => `${model.name}.${name}`),
    joins: additions.joins.map(({ name, to }) => `${model.name}.${name ?? to}`),
  };
}

function measuredColumn(
  name: string,
  { measures = [] }: SemanticModel,
  { columns }: KnownTable,
): ProposedMeasure["column"] {
  const expression = measures.find((each) => each.name === name)?.expr;
  const column = columns.find((each) => expression !== undefined && each.name === columnOfExpression(expression));
  if (column?.profile === undefined || column.sensitive !== undefined) return undefined;
  const { rows, nulls, min, max } = column.profile;
  return { rows, nulls, min, max };
}
