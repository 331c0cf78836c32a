/** The whole context of a project in one object: scan, search, descriptions, tools, SQL. */
import { join } from "node:path";
import { type QueryOptions, type QueryResult, readSettingsRules, type Warehouse } from "@bridle/warehouse";
import {
  type DescribeTablesReport,
  describeTables,
  type GenerateDescriptions,
} from "../descriptions/describe-tables.ts";
import { DescriptionStore, descriptionsFile } from "../descriptions/description-store.ts";
import { factsFile, openFacts } from "../facts/open-facts.ts";
import { TableFiles } from "../files/table-files.ts";
import { Knowledge } from "../knowledge/knowledge.ts";
import type { KnowledgeSources } from "../knowledge/known.ts";
import { ContextMetrics, type ContextMetricsOptions } from "../metrics/context-metrics.ts";
import { identifyConnection } from "../metrics/results/identify-connection.ts";
import { scan } from "../scan/scan.ts";
import type { ScanOptions, ScanReport } from "../scan/scan-options.ts";
import { ContextSearch, type FindOptions, type SearchHit } from "../search/context-search.ts";
import { ToolScope } from "../tools/tool-scope.ts";
import { PageFolder } from "../wiki/page-folder.ts";
import { Wiki } from "../wiki/wiki.ts";
import { CallerScopes } from "./caller-scopes.ts";
import type {
  CallerOptions,
  ContextToolset,
  ContextToolsetOptions,
  DescribedTable,
  OpenContextOptions,
  WriteDescriptionsOptions,
} from "./context-options.ts";
import type { DataFiles, DataJoins, DataMetrics, DataWiki } from "./context-parts.ts";
import { ContextToolsets } from "./context-toolsets.ts";
import { OpenedConnections } from "./opened-connections.ts";
import { OpenedFiles } from "./opened-files.ts";
import { OpenedJoins } from "./opened-joins.ts";
import { OpenedMetrics } from "./opened-metrics.ts";
import { OpenedWiki } from "./opened-wiki.ts";
import { checkCaller, checkScan, checkSearch, checkSql, checkTools, checkWriteDescriptions } from "./option-checks.ts";
import { PatternWarnings } from "./pattern-warnings.ts";

const checkDescribe = checkCaller("describe");

/** The context of a project. Close it after use. */
export class OpenedContext {
  readonly knowledge: Knowledge;
  readonly metrics: DataMetrics;
  readonly wiki: DataWiki;
  readonly joins: DataJoins;
  readonly files: DataFiles;
  readonly #options: OpenContextOptions;
  readonly #facts: ReturnType<typeof openFacts>;
  readonly #notes: TableFiles;
  readonly #search: ContextSearch;
  readonly #descriptions: DescriptionStore;
  readonly #warehouses: OpenedConnections;
  readonly #patterns: PatternWarnings;
  readonly #metrics: ContextMetrics;
  readonly #toolsets: ContextToolsets;
  readonly #scopes: CallerScopes;

  /** Call `openContext` instead. Throws FactsError. */
  constructor(options: OpenContextOptions) {
    const { stateDir, embedder, logger, connections } = options;
    this.#options = options;
    this.#notes = new TableFiles(options);
    this.#warehouses = new OpenedConnections(connections, this.#notes);
    this.#patterns = new PatternWarnings(logger);
    this.#facts = openFacts({ file: factsFile(options) });
    this.#descriptions = new DescriptionStore(descriptionsFile(options));
    const rules = new Map(connections.map(({ name, settings = {} }) => [name, readSettingsRules(settings)]));
    const sources: KnowledgeSources = {
      facts: this.#facts.reader,
      files: this.#notes,
      descriptions: this.#descriptions,
      rulesOf: (connection) => rules.get(connection),
    };
    this.knowledge = new Knowledge(sources);
    this.#scopes = new CallerScopes(connections, this.#notes, this.knowledge.shown);
    const vectorFile = join(stateDir, "context", "vectors.sqlite");
    const metricSources: ContextMetricsOptions = {
      projectDir: options.projectDir,
      knowledge: this.knowledge,
      connections: connections.map(({ name }) => name),
      openWarehouse: (name, signal) => this.#openForRun(name, signal),
    };
    const settings = new Map(connections.map((each) => [each.name, each.settings]));
    const identityOf = (name: string) => identifyConnection(settings.get(name));
    this.#metrics = new ContextMetrics({ ...metricSources, stateDir, identityOf });
    const wiki = new Wiki({ folder: new PageFolder(options), knowledge: this.knowledge, models: this.#metrics });
    const searched = { knowledge: this.knowledge, models: this.#metrics, pages: wiki };
    this.#search = new ContextSearch({ ...searched, embedder, vectorFile, logger });
    this.#toolsets = new ContextToolsets({
      knowledge: this.knowledge,
      sources,
      metrics: this.#metrics,
      wiki,
      search: this.#search,
      openWarehouse: (name, signal) => this.#openForRun(name, signal),
      readNotes: () => this.#notes.read(),
    });
    this.metrics = new OpenedMetrics({
      options,
      metrics: this.#metrics,
      sources: metricSources,
      scopes: this.#scopes,
      files: this.#notes,
    });
    this.wiki = new OpenedWiki(wiki, this.#scopes);
    this.joins = new OpenedJoins({
      facts: this.#facts,
      files: this.#notes,
      knowledge: this.knowledge,
      warehouses: this.#warehouses,
    });
    this.files = new OpenedFiles(this.#notes, this.#facts.reader, options);
  }

  /** Opens a connection for a query, and logs a warning for each pattern that matches nothing. A scan lists such patterns in its report. */
  async #openForRun(name: string, signal?: AbortSignal): Promise<Warehouse> {
    const warehouse = await this.#warehouses.open(name, signal);
    await this.#patterns.report(warehouse, signal);
    return warehouse;
  }

  /** Measures the changed tables of one connection. Rejects like `scan`. */
  async scan(connection: string, options: ScanOptions = {}): Promise<ScanReport> {
    checkScan(options);
    const warehouse = await this.#warehouses.open(connection, options.signal);
    const decisions = options.decisions ?? this.#notes.read().joins;
    const reconnect = options.reconnect ?? (() => this.#warehouses.openAgain(connection, options.signal));
    return scan(warehouse, this.#facts, { ...options, decisions, reconnect });
  }

  /** Lets a model describe tables that have changed. `generate` can be a runtime's `generateObject`. */
  async writeDescriptions(
    generate: GenerateDescriptions,
    options: WriteDescriptionsOptions = {},
  ): Promise<DescribeTablesReport> {
    checkWriteDescriptions(options);
    return describeTables({ ...options, knowledge: this.knowledge, store: this.#descriptions, generate });
  }

  /** Finds the tables, joins, metrics, dimensions and pages that match a query, best first. */
  async search(query: string, options: FindOptions & CallerOptions = {}): Promise<readonly SearchHit[]> {
    checkSearch(options);
    return this.#search.find(query, {
      ...options,
      isVisible: options.isVisible ?? this.#scopes.scopeOf(options).isVisible,
    });
  }

  /** Returns the knowledge about a table, by its identifier; undefined if the caller sees no such table. */
  describe(id: string, options: CallerOptions = {}): DescribedTable | undefined {
    checkDescribe(options);
    const { isVisible } = this.#scopes.scopeOf(options);
    const table = this.knowledge.table(id, isVisible);
    return table && { table, joins: this.knowledge.joins(id, isVisible) };
  }

  /** Runs one read-only statement. Rejects like `Warehouse.query`. */
  async sql(connection: string, statement: string, options: QueryOptions = {}): Promise<QueryResult> {
    checkSql(options);
    const scope = new ToolScope([{ name: connection, caller: options.scope }], this.knowledge.shown);
    const warehouse = await this.#openForRun(connection, options.signal);
    return warehouse.query(statement, { ...options, scope: scope.forStatement(connection, this.#notes.read()) });
  }

  /** Creates the tools of an agent, and their instructions. */
  tools(options: ContextToolsetOptions = {}): ContextToolset {
    checkTools(options);
    return this.#toolsets.open(this.#scopes.connections(options), options);
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
