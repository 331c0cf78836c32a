/** The whole context of a project in one object: scan, search, descriptions, tools, SQL. */
import { join } from "node:path";
import type { MetricQuery, ModelFile, ModelProblem, SemanticModel } from "@bridle/semantic";
import { type QueryOptions, type QueryResult, readSettingsRules, type Warehouse } from "@bridle/warehouse";
import {
  type DescribeTablesOptions,
  type DescribeTablesReport,
  describeTables,
  type GenerateDescriptions,
} from "../descriptions/describe-tables.ts";
import { DescriptionStore, descriptionsFile } from "../descriptions/description-store.ts";
import { factsFile, openFacts } from "../facts/open-facts.ts";
import { changeTableFile } from "../files/change-files.ts";
import type { ListChangesOptions, ListedChange } from "../files/change-log.ts";
import { findUnknownNotes, type UnknownNote } from "../files/check-notes.ts";
import type { ChangeAuthor, ChangeResult, FileChange } from "../files/file-change.ts";
import type { ContextFileProblem } from "../files/file-problem.ts";
import { listChanges } from "../files/list-changes.ts";
import { type AuthoredChange, type PreviewedFile, previewChanges } from "../files/preview-changes.ts";
import { TableFiles } from "../files/table-files.ts";
import { Knowledge } from "../knowledge/knowledge.ts";
import type { KnowledgeSources } from "../knowledge/known.ts";
import type { CheckedMetrics } from "../metrics/check-metrics.ts";
import { type CheckedModelFiles, type CheckFilesOptions, checkModelFiles } from "../metrics/check-model-files.ts";
import { ContextMetrics, type ContextMetricsOptions } from "../metrics/context-metrics.ts";
import type { DescribedModel } from "../metrics/describe-models.ts";
import type { MetricRunOptions } from "../metrics/metric-queries.ts";
import type { MetricOutcome } from "../metrics/metric-query-types.ts";
import { ModelFolder } from "../metrics/model-folder.ts";
import type { PlacedModel } from "../metrics/model-table.ts";
import { identifyConnection } from "../metrics/results/identify-connection.ts";
import { type ModelProposalRequest, type ModelProposals, proposeModels } from "../proposals/models/propose-models.ts";
import { type JoinProposals, type ProposalRequest, proposeJudgedJoins } from "../proposals/propose-judged-joins.ts";
import { judgeJoins } from "../scan/judge-joins.ts";
import { scan } from "../scan/scan.ts";
import type { JoinProposal, ScanOptions, ScanReport } from "../scan/scan-options.ts";
import { ContextSearch, type FindOptions, type SearchHit } from "../search/context-search.ts";
import { ToolScope } from "../tools/tool-scope.ts";
import type { ContextPage } from "../wiki/context-page.ts";
import { PageFolder } from "../wiki/page-folder.ts";
import { Wiki } from "../wiki/wiki.ts";
import { CallerScopes } from "./caller-scopes.ts";
import type {
  CallerOptions,
  ContextToolset,
  ContextToolsetOptions,
  DescribedTable,
  OpenContextOptions,
} from "./context-options.ts";
import { ContextToolsets } from "./context-toolsets.ts";
import { OpenedConnections } from "./opened-connections.ts";
import { PatternWarnings } from "./pattern-warnings.ts";

/** The context of a project. Close it after use. */
export class OpenedContext {
  readonly knowledge: Knowledge;
  readonly #options: OpenContextOptions;
  readonly #facts: ReturnType<typeof openFacts>;
  readonly #files: TableFiles;
  readonly #wiki: Wiki;
  readonly #search: ContextSearch;
  readonly #descriptions: DescriptionStore;
  readonly #warehouses: OpenedConnections;
  readonly #patterns: PatternWarnings;
  readonly #metricSources: ContextMetricsOptions;
  readonly #metrics: ContextMetrics;
  readonly #toolsets: ContextToolsets;
  readonly #scopes: CallerScopes;

  /** Call `openContext` instead. Throws FactsError. */
  constructor(options: OpenContextOptions) {
    const { stateDir, embedder, logger, connections } = options;
    this.#options = options;
    this.#files = new TableFiles(options);
    this.#warehouses = new OpenedConnections(connections, this.#files);
    this.#patterns = new PatternWarnings(logger);
    this.#facts = openFacts({ file: factsFile(options) });
    this.#descriptions = new DescriptionStore(descriptionsFile(options));
    const rules = new Map(connections.map(({ name, settings = {} }) => [name, readSettingsRules(settings)]));
    const sources: KnowledgeSources = {
      facts: this.#facts.reader,
      files: this.#files,
      descriptions: this.#descriptions,
      rulesOf: (connection) => rules.get(connection),
    };
    this.knowledge = new Knowledge(sources);
    this.#scopes = new CallerScopes(connections, this.#files, this.knowledge.shown);
    const vectorFile = join(stateDir, "context", "vectors.sqlite");
    this.#metricSources = {
      projectDir: options.projectDir,
      knowledge: this.knowledge,
      connections: connections.map(({ name }) => name),
      openWarehouse: (name, signal) => this.#openForRun(name, signal),
    };
    const settings = new Map(connections.map((each) => [each.name, each.settings]));
    const identityOf = (name: string) => identifyConnection(settings.get(name));
    this.#metrics = new ContextMetrics({ ...this.#metricSources, stateDir, identityOf });
    this.#wiki = new Wiki({ folder: new PageFolder(options), knowledge: this.knowledge, models: this.#metrics });
    const searched = { knowledge: this.knowledge, models: this.#metrics, pages: this.#wiki };
    this.#search = new ContextSearch({ ...searched, embedder, vectorFile, logger });
    this.#toolsets = new ContextToolsets({
      knowledge: this.knowledge,
      sources,
      metrics: this.#metrics,
      wiki: this.#wiki,
      search: this.#search,
      openWarehouse: (name, signal) => this.#openForRun(name, signal),
      readNotes: () => this.#files.read(),
    });
  }

  /** Opens a connection for a query, and warns of patterns that match nothing. A scan lists them in its report. */
  async #openForRun(name: string, signal?: AbortSignal): Promise<Warehouse> {
    const warehouse = await this.#warehouses.open(name, signal);
    await this.#patterns.report(warehouse, signal);
    return warehouse;
  }

  /** Measures the changed tables of one connection. Rejects like `scan`. */
  async scan(connection: string, options: ScanOptions = {}): Promise<ScanReport> {
    const warehouse = await this.#warehouses.open(connection, options.signal);
    const decisions = options.decisions ?? this.#files.read().joins;
    const reconnect = options.reconnect ?? (() => this.#warehouses.openAgain(connection, options.signal));
    return scan(warehouse, this.#facts, { ...options, decisions, reconnect });
  }

  /** Lets a model describe tables that have changed. `generate` can be a runtime's `generateObject`. */
  writeDescriptions(
    generate: GenerateDescriptions,
    options: Pick<DescribeTablesOptions, "connection" | "tokens" | "onProgress" | "signal"> = {},
  ): Promise<DescribeTablesReport> {
    return describeTables({ ...options, knowledge: this.knowledge, store: this.#descriptions, generate });
  }

  /** Lets a model propose joins, and checks each against the data. Changes no fact and no file. Rejects like `proposeJudgedJoins`. */
  proposeJoins(options: ProposalRequest): Promise<JoinProposals> {
    const warehouses = this.#warehouses;
    return proposeJudgedJoins({
      ...options,
      knowledge: this.knowledge,
      facts: this.#facts,
      decisions: this.#files.read().joins,
      openWarehouse: () => warehouses.open(options.connection, options.signal),
      reconnect: () => warehouses.openAgain(options.connection, options.signal),
    });
  }

  /** Checks joins between scanned tables against the data. Changes no fact. Rejects with the warehouse's BridleError. */
  async judgeJoins(connection: string, proposals: readonly JoinProposal[], signal?: AbortSignal) {
    const warehouse = await this.#warehouses.open(connection, signal);
    const decisions = this.#files.read().joins;
    return (await judgeJoins(warehouse, this.#facts, { proposals, decisions, signal })).judged;
  }

  /** Finds the tables, joins, metrics, dimensions and pages that fit a query, best first. */
  search(query: string, options?: FindOptions & CallerOptions): Promise<readonly SearchHit[]> {
    return this.#search.find(query, {
      ...options,
      isVisible: options?.isVisible ?? this.#scopes.scopeOf(options).isVisible,
    });
  }

  /** Returns the knowledge about a table, by its identifier; undefined if the caller sees no such table. */
  describe(id: string, options?: CallerOptions): DescribedTable | undefined {
    const { isVisible } = this.#scopes.scopeOf(options);
    const table = this.knowledge.table(id, isVisible);
    return table && { table, joins: this.knowledge.joins(id, isVisible) };
  }

  /** Lists the pages that a caller may see, without those with `use: never`. */
  pages(options?: CallerOptions): readonly ContextPage[] {
    return this.#wiki.list(this.#scopes.scopeOf(options).isVisible);
  }

  /** Finds a page by its name or title; undefined if the caller sees no such page. */
  page(name: string, options?: CallerOptions): ContextPage | undefined {
    return this.#wiki.find(name, this.#scopes.scopeOf(options).isVisible);
  }

  /** The pages of the project, including those that no agent sees, and their problems. */
  get wiki(): { readonly pages: readonly ContextPage[]; readonly problems: readonly ContextFileProblem[] } {
    return { pages: this.#wiki.all(), problems: this.#wiki.problems() };
  }

  /** Runs one read-only statement. Rejects like `Warehouse.query`. */
  async sql(connection: string, statement: string, options: QueryOptions = {}): Promise<QueryResult> {
    const scope = new ToolScope([{ name: connection, caller: options.scope }], this.knowledge.shown);
    const warehouse = await this.#openForRun(connection, options.signal);
    return warehouse.query(statement, { ...options, scope: scope.forStatement(connection, this.#files.read()) });
  }

  /**
   * Answers a query over the models of `context/models`, or explains why no answer would be right.
   *
   * @throws ConfigError if a model is invalid or missing; the warehouse's BridleError.
   */
  query(query: MetricQuery, options: MetricRunOptions & CallerOptions = {}): Promise<MetricOutcome> {
    return this.#metrics.query(query, this.#scopes.callerOf(options), options);
  }

  /** Lists the models that a caller may see. Throws ConfigError if a model is invalid, or the project has no models. */
  listModels(options?: CallerOptions): readonly DescribedModel[] {
    return this.#metrics.list(this.#scopes.callerOf(options));
  }

  /** The problems in the files of `context/models`. */
  get modelProblems(): readonly ModelProblem[] {
    return this.#metrics.problems;
  }

  /**
   * Finds the connection, table and columns of a model that is not in `context/models` yet, or returns a sentence about the problem.
   * Undefined if nothing has been scanned.
   */
  placeModel(model: SemanticModel): PlacedModel | string | undefined {
    return this.#metrics.place(model);
  }

  /** Checks the declared keys of all models against the data, and runs each measure. Rejects like `query`. */
  checkMetrics(options?: CallerOptions & { readonly signal?: AbortSignal | undefined }): Promise<CheckedMetrics> {
    return this.#metrics.check(this.#scopes.callerOf(options), options?.signal);
  }

  /** Checks model files as if they were the project's own, and runs their measures. Writes nothing. Rejects like `query`. */
  checkModelFiles(files: readonly ModelFile[], options?: CheckFilesOptions): Promise<CheckedModelFiles> {
    return checkModelFiles(files, this.#metricSources, this.#scopes.callerOf(), options);
  }

  /** Drafts models of scanned tables, and runs their measures. Writes nothing. Rejects like `proposeModels`. */
  proposeModels(request: ModelProposalRequest = {}): Promise<ModelProposals> {
    const folder = new ModelFolder(this.#options).read();
    const { joins: decisions } = this.#files.read();
    return proposeModels({ ...request, ...this.#metricSources, folder, decisions, caller: this.#scopes.callerOf() });
  }

  /** Creates the tools of an agent, and their instructions. */
  tools(options: ContextToolsetOptions = {}): ContextToolset {
    return this.#toolsets.open(this.#scopes.connections(options), options);
  }

  /** The problems in the files of `context/tables`. */
  get fileProblems(): readonly ContextFileProblem[] {
    return this.#files.read().problems;
  }

  /** Names in the files of `context/tables` of tables and columns that no scan found. */
  get unknownNotes(): readonly UnknownNote[] {
    return findUnknownNotes(this.#files.read(), this.#facts.reader);
  }

  /** Makes one change in a file of `context/tables`. Rejects like `changeTableFile`. */
  change(change: FileChange, author: ChangeAuthor): Promise<ChangeResult> {
    return changeTableFile(change, author, this.#options);
  }

  /** Lists the files that the changes would modify. Writes nothing. Throws ConfigError if a file cannot be edited. */
  previewChanges(changes: readonly AuthoredChange[]): readonly PreviewedFile[] {
    return previewChanges(changes, this.#options);
  }

  /** Lists the changes that were made through Bridle, newest first. */
  changes(options?: ListChangesOptions): ListedChange[] {
    return listChanges(this.#options, options);
  }

  async close(): Promise<void> {
    await this.#search.close();
    await this.#warehouses.close();
    await this.#options.embedder?.close();
    this.#metrics.close();
    this.#descriptions.close();
    this.#facts.close();
  }
}

/**
 * Opens the context of a project. Connects only when needed, and scans only on request.
 *
 * @throws FactsError if the facts database cannot be used.
 */
export function openContext(options: OpenContextOptions): OpenedContext {
  return new OpenedContext(options);
}
