/** Reads the queries that people really send to a warehouse, as templates. */
import { resolve } from "node:path";
import { ConfigError, systemErrorCode } from "@bridle/protocol";
import { logSyntaxOf } from "@bridle/sql";
import { listFolder } from "../files/folder-files.ts";
import type { SourceServices } from "../kinds/source-kind.ts";
import type { FetchContext, FetchEvent, IngestSource, Projection, ProjectionContext, StagedItem } from "../source.ts";
import { projectTemplates } from "./project-templates.ts";
import type { QueryHistorySettings } from "./query-history-settings.ts";
import { QueryTemplates } from "./query-templates.ts";
import { readQueryLog } from "./read-log.ts";
import { templateItems } from "./template-items.ts";
import { readWarehouseHistory } from "./warehouse-history.ts";

const defaults = { days: 30, minRuns: 2, region: "us" };

export function createQueryHistorySource(
  name: string,
  settings: QueryHistorySettings,
  services: SourceServices,
): IngestSource {
  const { path, connection, region = defaults.region } = settings;
  if (path === undefined && connection === undefined)
    throw new ConfigError(`The source ${name} needs connection, or path for a log. Write one of them.`);
  if (path === undefined && services.openWarehouse === undefined)
    throw new ConfigError(
      `The source ${name} reads the connection ${connection}, but the project has none. Add it under context.connections.`,
    );
  if (!/^[a-z0-9-]{1,40}$/.test(region))
    throw new ConfigError(`The region ${region} of the source ${name} is not a BigQuery region. Write one such as eu.`);
  return new QueryHistorySource(name, settings, services);
}

class QueryHistorySource implements IngestSource {
  readonly type = "query_history";
  readonly name: string;
  readonly #settings: QueryHistorySettings;
  readonly #services: SourceServices;

  constructor(name: string, settings: QueryHistorySettings, services: SourceServices) {
    this.name = name;
    this.#settings = settings;
    this.#services = services;
  }

  async *fetch({ signal }: FetchContext): AsyncIterable<FetchEvent> {
    const { minRuns = defaults.minRuns, connection, path } = this.#settings;
    const { templates, problems, isComplete } =
      path === undefined ? await this.#readWarehouse(signal) : await this.#readLogs(path, signal);
    for (const message of problems) yield { kind: "problem", message };
    if (templates.leftOut > 0)
      yield {
        kind: "problem",
        message: `${templates.leftOut} statements were left out, because the log has too many different ones. Name a shorter log.`,
      };
    for (const item of templateItems(templates.list(minRuns), connection)) yield { kind: "item", item };
    if (isComplete) yield { kind: "complete" };
  }

  project(items: readonly StagedItem[], context: ProjectionContext): Projection {
    return projectTemplates(this.name, items, context);
  }

  async #readWarehouse(signal: AbortSignal) {
    const {
      connection = "",
      days = defaults.days,
      minRuns = defaults.minRuns,
      region = defaults.region,
    } = this.#settings;
    const warehouse = await this.#services.openWarehouse?.(connection, signal);
    if (warehouse === undefined)
      throw new ConfigError(`There is no connection ${connection}. Add it under context.connections.`);
    const templates = new QueryTemplates(logSyntaxOf(warehouse.dialect));
    for await (const query of readWarehouseHistory(warehouse, { days, minRuns, region }, signal)) templates.add(query);
    return { templates, problems: [], isComplete: true };
  }

  async #readLogs(path: string, signal: AbortSignal) {
    const { dialect } = this.#settings;
    const templates = new QueryTemplates(dialect === undefined ? undefined : logSyntaxOf(dialect));
    const whole = resolve(this.#services.projectDir, path);
    const listing = await listFolder(whole, (id) => /\.(?:csv|tsv|jsonl|ndjson|json|log)$/i.test(id), signal);
    const problems = listing.problems.map(({ message }) => message);
    let isComplete = listing.isComplete;
    for (const file of listing.files) {
      try {
        for await (const query of readQueryLog(file.path, signal)) templates.add(query);
      } catch (error) {
        signal.throwIfAborted();
        isComplete = false;
        problems.push(
          `${file.id} cannot be read (${systemErrorCode(error)}). Make it readable; until then nothing counts as deleted.`,
        );
      }
    }
    return { templates, problems, isComplete };
  }
}
