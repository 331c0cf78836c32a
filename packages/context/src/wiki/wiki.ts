/** Reads the pages of a project for callers that may not see every table. */
import { sha256 } from "@bridle/core";
import { nearest } from "@bridle/protocol";
import { formatTableId, type TablePath } from "../facts/identifiers.ts";
import { parseColumnId, parseTableId } from "../facts/parse-identifier.ts";
import type { ContextFileProblem } from "../files/file-problem.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";
import type { IsVisible } from "../knowledge/known.ts";
import { TableNames } from "../knowledge/table-names.ts";
import { tablesOfEntry } from "../metrics/entry-tables.ts";
import type { SearchedModels } from "../metrics/metric-entries.ts";
import { type ContextPage, type PlacedPage, toContextPage } from "./context-page.ts";
import { lintPages } from "./lint-pages.ts";
import type { PageFolder } from "./page-folder.ts";

export interface WikiOptions {
  readonly folder: PageFolder;
  readonly knowledge: Knowledge;
  /** Default: none. */
  readonly models?: SearchedModels | undefined;
}

/** Reads pages. Every answer is current. A caller sees a page if it may see every table that the page and its metrics name. */
export class Wiki {
  readonly #options: WikiOptions;
  readonly #names: TableNames;
  #version: string | undefined;
  #placed: readonly PlacedPage[] = [];

  constructor(options: WikiOptions) {
    this.#options = options;
    this.#names = new TableNames(options.knowledge);
  }

  /** A string that differs after every change of a page or of its tables and metrics. */
  get version(): string {
    const { folder, knowledge, models } = this.#options;
    return sha256(JSON.stringify([folder.read().version, knowledge.version(), models?.read().version]));
  }

  /** Returns all pages, including those that no agent sees. */
  all(): readonly ContextPage[] {
    return this.placed().map(({ page }) => page);
  }

  /** Returns the pages that a caller may see, sorted by name. */
  list(isVisible: IsVisible = () => true): readonly ContextPage[] {
    return this.placed().flatMap((placed) => (this.#isShown(placed, isVisible) ? [placed.page] : []));
  }

  /** Finds a page by name or title, in any letter case; undefined if the caller sees no such page. */
  find(name: string, isVisible?: IsVisible): ContextPage | undefined {
    const wanted = name
      .trim()
      .replace(/^(?:context\/wiki\/|\[\[)?(.*?)(?:\.md|\]\])?$/, "$1")
      .toLowerCase();
    const pages = this.list(isVisible);
    return (
      pages.find(({ slug }) => slug.toLowerCase() === wanted) ??
      pages.find(({ title }) => title.toLowerCase() === wanted)
    );
  }

  /** Returns the page names nearest to a name. */
  nearest(name: string, isVisible?: IsVisible): readonly string[] {
    return nearest(
      name,
      this.list(isVisible).map(({ slug }) => slug),
      5,
    );
  }

  /** Returns the pages that name a table, or a metric that is computed from it. */
  aboutTable(id: string, isVisible?: IsVisible): readonly ContextPage[] {
    const isAbout = ({ paths = [] }: PlacedPage) => paths.some((path) => formatTableId(path) === id);
    return this.placed().flatMap((each) => (isAbout(each) && this.#isShown(each, isVisible) ? [each.page] : []));
  }

  /** Returns the pages that name a metric, dimension or model. */
  aboutMetric(name: string, isVisible?: IsVisible): readonly ContextPage[] {
    return this.list(isVisible).filter(({ metrics }) =>
      metrics.some((each) => each === name || each.startsWith(`${name}.`)),
    );
  }

  /** Returns the problems in the files, including names that do not exist. */
  problems(): readonly ContextFileProblem[] {
    const { folder, knowledge, models } = this.#options;
    const { pages, problems } = folder.read();
    const isScanned = knowledge.connections().some(({ tables }) => tables > 0);
    const metrics = models?.read().models ?? [];
    const findings = lintPages(pages, {
      ...(isScanned && {
        isTable: (name: string) => this.#pathsOf(name)?.every((path) => this.#exists(path)) === true,
      }),
      ...(metrics.length > 0 && { isMetric: (name: string) => this.#tablesOfMetric(name) !== undefined }),
    });
    return [...problems, ...findings];
  }

  /** Returns all pages with their tables. */
  placed(): readonly PlacedPage[] {
    const { version } = this;
    if (version !== this.#version) {
      this.#placed = this.#options.folder.read().pages.map((page) => this.#place(toContextPage(page)));
      this.#version = version;
    }
    return this.#placed;
  }

  #place(page: ContextPage): PlacedPage {
    const tables = page.tables.map((name) => this.#pathsOf(name));
    const named = [...tables, ...page.metrics.map((name) => this.#tablesOfMetric(name))];
    const isPlaced = named.every((paths) => paths !== undefined);
    const all = named.flatMap((paths) => paths ?? []);
    return {
      page,
      paths: isPlaced ? [...new Map(all.map((path) => [formatTableId(path), path])).values()] : undefined,
    };
  }

  /**
   * Returns the tables that a name refers to. An incomplete name refers to every matching table. A name that no scan has found is taken
   * literally.
   */
  #pathsOf(name: string): readonly TablePath[] | undefined {
    const found = this.#names.find(name, () => true);
    const ids = found.kind === "table" ? [found.id] : found.kind === "several" ? found.ids : [];
    const paths = ids.flatMap((id) => parseTableId(id) ?? []);
    if (paths.length > 0) return paths;
    const { connection, schema, table } = parseTableId(name) ?? parseColumnId(name) ?? {};
    return connection === undefined || schema === undefined || table === undefined
      ? undefined
      : [{ connection, schema, table }];
  }

  #exists(path: TablePath): boolean {
    return this.#options.knowledge.table(formatTableId(path)) !== undefined;
  }

  /** Returns the tables of `model.name`, or of a model; undefined if no model has the name, or none of the model's tables is known. */
  #tablesOfMetric(name: string): readonly TablePath[] | undefined {
    const models = this.#options.models?.read().models ?? [];
    const [model = "", ...rest] = name.split(".");
    const placed = models.find((each) => each.model.name === model);
    if (placed === undefined) return undefined;
    const tables = rest.length === 0 ? placed.tables : tablesOfEntry({ model, name: rest.join(".") }, models);
    return tables.length === 0 ? undefined : tables;
  }

  #isShown({ page, paths }: PlacedPage, isVisible: IsVisible = () => true): boolean {
    const { knowledge } = this.#options;
    return page.use !== "never" && paths !== undefined && paths.every((path) => knowledge.mayShow(path, isVisible));
  }
}
