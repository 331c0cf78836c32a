import { ConfigError, formatPosition } from "@bridle/protocol";
import type { SemanticModel } from "@bridle/semantic";
import type { StructuredValue } from "@bridle/warehouse";
import { columnOfExpression } from "../../history/model-names.ts";
import type { UsageCount } from "../../history/query-history.ts";
import type { KnownTable } from "../../knowledge/known.ts";
import { describeModel } from "../../metrics/describe-models.ts";
import { MetricModels } from "../../metrics/metric-models.ts";
import type { PlacedModel } from "../../metrics/model-table.ts";
import { DraftChecks, type RunDrafts } from "./draft-checks.ts";
import { type DraftTablesOptions, draftTables } from "./draft-tables.ts";
import { formatProposedModel, type ProposedModel, wholeModel } from "./drafts.ts";
import { areEmpty } from "./find-additions.ts";
import type { GivenHistory, HistorySummary } from "./gather-usage.ts";
import { type ImproveOptions, improveDrafts } from "./improve-drafts.ts";
import { type UsageSources, type UsedEntry, usageOfMeasure, usedEntries } from "./usage-evidence.ts";

export interface ModelProposalRequest extends Omit<ImproveOptions, "generate"> {
  /** Statements of a query log. Default: the statements that the engines remember. */
  readonly history?: GivenHistory | undefined;
  /**
   * The identifier of a table: proposes only this table and the targets of its joins. Default: the tables that are used and joined most.
   */
  readonly table?: string | undefined;
  /** Default: all connections. */
  readonly connection?: string | undefined;
  /** Calls a model to improve the drafts. Default: calls no model. */
  readonly generate?: ImproveOptions["generate"] | undefined;
}

/** A measure with its value, and the scan's facts about its column. */
export interface ProposedMeasure {
  /** `model.name` */
  readonly name: string;
  readonly formula: string;
  readonly value: StructuredValue;
  /** How often statements compute the measure. */
  readonly usage?: UsageCount | undefined;
  /** The facts of the column, as the scan measured it. */
  readonly column?:
    | {
        readonly rows: number;
        readonly nulls: number;
        readonly min?: string | undefined;
        readonly max?: string | undefined;
      }
    | undefined;
}

/** A segment with the number of rows that it selects. */
export interface ProposedSegment {
  /** `model.name` */
  readonly name: string;
  readonly filter: string;
  readonly rows: StructuredValue;
}

export interface ModelProposal {
  readonly model: SemanticModel;
  /** The file of an existing model, to which entries are only added. */
  readonly file?: string | undefined;
  readonly before: string;
  readonly after: string;
  readonly measures: readonly ProposedMeasure[];
  /** New dimensions and joins, as `model.name`. */
  readonly dimensions: readonly string[];
  readonly joins: readonly string[];
  readonly segments: readonly ProposedSegment[];
  /** The new entries that statements use. */
  readonly used: readonly UsedEntry[];
}

export interface ModelProposals {
  readonly models: readonly ModelProposal[];
  /** The query logs that were read. */
  readonly history: readonly HistorySummary[];
  /** Which parts were left out and why, as sentences. */
  readonly notes: readonly string[];
  readonly calls: number;
  readonly tokens: number;
  /** Tables with drafts that no model improved, each with the reason. */
  readonly failed: readonly { readonly table: string; readonly reason: string }[];
}

type ProposerOptions = DraftTablesOptions & ModelProposalRequest;

/**
 * Drafts models of tables: keys, joins, times, groups and measures, together with the measures, segments and joins in statements that ran.
 * With `generate`, a model chooses, names and describes these entries. Each measure is run. Existing models only receive additions, and no
 * file is written.
 *
 * @throws ConfigError if nothing was scanned, a file of `context/models` is invalid, or the table does not exist; the error of the first
 * call if every model call fails; the warehouse's BridleError.
 */
export async function proposeModels(options: ProposerOptions): Promise<ModelProposals> {
  const existing = readExisting(options);
  const { drafts, notes, names, usage } = await draftTables(options, existing);
  const { generate } = options;
  const improved =
    generate === undefined
      ? { drafts, calls: 0, tokens: 0, failed: [] }
      : await improveDrafts(drafts, { ...options, generate });
  const open = improved.drafts.filter(isNew);
  const checks = new DraftChecks(open, { ...options, existing });
  const run = open.length === 0 ? { measures: [], segments: new Map() } : await checks.run();
  const sources = { usage: usage.tables, tables: new Map([...names].map(([id, name]) => [name, id])) };
  const models = checks.drafts.filter(isNew).map((draft) => toProposal(draft, run, sources));
  const { calls, tokens, failed } = improved;
  return { models, history: usage.summaries, notes: [...notes, ...checks.notes], calls, tokens, failed };
}

/** Reads the existing models. Throws ConfigError if a file is invalid, because its entries could not be distinguished from new ones. */
function readExisting({ folder, knowledge, connections }: ProposerOptions): readonly PlacedModel[] {
  const { models, problems } = new MetricModels({ read: () => folder }, knowledge, connections).read();
  const [first] = problems;
  if (first !== undefined) {
    throw new ConfigError(`${formatPosition(first.position)}: ${first.message}`, { field: "context/models" });
  }
  return models;
}

function isNew({ existing, additions }: ProposedModel): boolean {
  return existing === undefined || !areEmpty(additions);
}

function toProposal(draft: ProposedModel, run: RunDrafts, sources: UsageSources): ModelProposal {
  const { table, existing, additions } = draft;
  const model = wholeModel(draft);
  const path = { connection: table.connection, schema: table.schema, table: table.table };
  const formulas = new Map(
    describeModel({ model, connection: table.connection, table: path }).measures.map(({ name, formula }) => [
      name,
      formula,
    ]),
  );
  const own = run.measures.filter(({ name }) => name.startsWith(`${model.name}.`));
  return {
    model,
    file: existing?.file,
    before: existing?.text ?? "",
    after: formatProposedModel(draft),
    measures: own.map(({ name, value = null }) => ({
      name,
      formula: formulas.get(name) ?? "",
      value,
      usage: usageOfMeasure(
        model.measures?.find((each) => `${model.name}.${each.name}` === name),
        draft.usage,
      ),
      column: measuredColumn(name.slice(model.name.length + 1), model, table),
    })),
    dimensions: additions.dimensions.map(({ name }) => `${model.name}.${name}`),
    joins: additions.joins.map(({ name, to }) => `${model.name}.${name ?? to}`),
    segments: additions.segments.map(({ name, filter }) => {
      const whole = `${model.name}.${name}`;
      return { name: whole, filter: String(filter), rows: run.segments.get(whole) ?? null };
    }),
    used: usedEntries(draft, sources),
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
