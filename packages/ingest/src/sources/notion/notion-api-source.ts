/** Reads pages and data sources from Notion's API. */
import { isPlainObject } from "@bridle/protocol";
import { ApiError } from "../api/api-client.ts";
import { fetchSafely, ItemFailures } from "../api/fetch-safely.ts";
import { readDate } from "../files/front-matter.ts";
import { toTitle } from "../files/title.ts";
import type { Authority, FetchContext, FetchEvent, IngestSource, SourceItem } from "../source.ts";
import { type BlockTree, blocksToMarkdown } from "./block-markdown.ts";
import type { NotionClient } from "./notion-client.ts";
import { isUnchanged, type NotionCursor, readCursor } from "./notion-cursor.ts";
import type { NotionDataSource, NotionPage } from "./notion-schema.ts";
import { dataSourceToText, propertiesToText, titleOfPage } from "./page-properties.ts";
import { plainRichText } from "./rich-text.ts";

export interface NotionApiOptions {
  readonly name: string;
  readonly client: NotionClient;
  /** The ids of pages and databases. Undefined means everything shared with the integration. */
  readonly roots: readonly string[] | undefined;
  readonly authority: Authority;
  now(): Date;
}

export class NotionApiSource implements IngestSource {
  readonly type = "notion";
  readonly name: string;
  readonly #options: NotionApiOptions;

  constructor(options: NotionApiOptions) {
    this.name = options.name;
    this.#options = options;
  }

  fetch(context: FetchContext): AsyncIterable<FetchEvent> {
    return fetchSafely(new NotionFetch(this.#options, context).run(), context.signal);
  }
}

class NotionFetch {
  readonly #options: NotionApiOptions;
  readonly #signal: AbortSignal;
  readonly #cursor: NotionCursor | undefined;
  readonly #failures = new ItemFailures();
  readonly #seen = new Set<string>();
  /** Ids of pages and databases to read. */
  readonly #queue: string[] = [];
  readonly #next: NotionCursor;

  constructor(options: NotionApiOptions, { cursor, signal }: FetchContext) {
    this.#options = options;
    this.#signal = signal;
    this.#cursor = readCursor(cursor);
    this.#next = { version: 1, at: options.now().toISOString(), pages: {} };
  }

  async *run(): AsyncIterable<FetchEvent> {
    const { roots, client } = this.#options;
    if (roots === undefined) {
      for await (const found of client.search("data_source", this.#signal)) yield* this.#object(found);
      for await (const found of client.search("page", this.#signal)) yield* this.#object(found);
      // The search index may lag behind, so known pages that it did not return are requested by id.
      for (const id of Object.keys(this.#cursor?.pages ?? {})) this.#queue.push(id);
    } else this.#queue.push(...roots.map(toId));
    for (let id = this.#queue.shift(); id !== undefined; id = this.#queue.shift())
      yield* this.#byId(id, roots?.map(toId).includes(id) ?? false);
    yield { kind: "complete", cursor: JSON.stringify(this.#next) };
  }

  async *#byId(id: string, isRoot: boolean): AsyncIterable<FetchEvent> {
    if (this.#seen.has(id)) return;
    try {
      yield* this.#object(await this.#options.client.page(id, this.#signal));
    } catch (error) {
      if (!(error instanceof ApiError) || error.failure === "login") throw error;
      if (!isOther(error)) yield this.#failures.toProblem(error, id);
      else if (!(yield* this.#database(id)) && isRoot) yield { kind: "problem", message: error.message };
    }
  }

  /** Reads a database or data source. Returns whether the id belongs to one. */
  async *#database(id: string): AsyncGenerator<FetchEvent, boolean> {
    const { client } = this.#options;
    this.#seen.add(id);
    const sources = await client.dataSourcesOf(id, this.#signal).catch((error: unknown) => {
      if (isOther(error)) return undefined;
      throw error;
    });
    for (const each of sources ?? [id]) {
      try {
        yield* this.#object(await client.dataSource(each, this.#signal));
      } catch (error) {
        if (sources === undefined && isOther(error)) return false;
        yield this.#failures.toProblem(error, each);
      }
    }
    return true;
  }

  async *#object(found: NotionPage | NotionDataSource): AsyncIterable<FetchEvent> {
    const id = toId(found.id);
    if (this.#seen.has(id)) return;
    this.#seen.add(id);
    if (found.archived || found.in_trash) return;
    if (found.object === "page") yield* this.#page(id, found);
    else yield* this.#dataSource(id, found);
  }

  async *#page(id: string, page: NotionPage): AsyncIterable<FetchEvent> {
    const edited = page.last_edited_time;
    if (isUnchanged(this.#cursor, id, edited)) {
      this.#remember(id, edited, this.#cursor?.pages[id]?.children ?? []);
      yield { kind: "unchanged", id };
      return;
    }
    const title = toTitle(titleOfPage(page)) || "Untitled";
    try {
      const trees = await this.#options.client.blocks(page.id, title, this.#signal);
      this.#failures.succeeded();
      this.#remember(id, edited, childrenOf(trees));
      yield { kind: "item", item: this.#toItem(id, page, title, trees) };
    } catch (error) {
      yield this.#failures.toProblem(error, id);
      this.#queue.push(...(this.#cursor?.pages[id]?.children ?? []));
    }
  }

  async *#dataSource(id: string, source: NotionDataSource): AsyncIterable<FetchEvent> {
    const title = toTitle(plainRichText(source.title)) || "Untitled";
    const common = { id, title, text: `# ${title}\n\n${dataSourceToText(source)}`, kind: "database" };
    const updatedAt = readDate(source.last_edited_time);
    this.#remember(id, source.last_edited_time ?? "", []);
    const { authority } = this.#options;
    const location = source.url ?? undefined;
    yield { kind: "item", item: { ...common, authority, location, ...(updatedAt === undefined ? {} : { updatedAt }) } };
    if (this.#options.roots === undefined) return; // the search lists the rows as pages
    for await (const row of this.#options.client.rows(source.id, this.#signal)) yield* this.#object(row);
  }

  #toItem(id: string, page: NotionPage, title: string, trees: readonly BlockTree[]): SourceItem {
    const parts = [`# ${title}`, propertiesToText(page), blocksToMarkdown(trees)].filter((part) => part !== "");
    const updatedAt = readDate(page.last_edited_time);
    return {
      id,
      title,
      text: `${parts.join("\n\n")}\n`,
      kind: "page",
      authority: this.#options.authority,
      location: page.url ?? undefined,
      links: childrenOf(trees),
      ...(updatedAt === undefined ? {} : { updatedAt }),
    };
  }

  #remember(id: string, edited: string, children: readonly string[]): void {
    this.#next.pages[id] = { edited, children: [...children] };
    this.#queue.push(...children);
  }
}

/** Whether the error means that the object does not exist, or is of another kind. */
function isOther(error: unknown): boolean {
  return error instanceof ApiError && (error.failure === "missing" || error.failure === "refused");
}

/** Normalizes an id, which Notion writes with or without dashes. */
function toId(id: string): string {
  return id.replaceAll("-", "").toLowerCase();
}

function childrenOf(trees: readonly BlockTree[]): readonly string[] {
  return trees.flatMap(({ block, children }) => {
    const linked =
      block.type === "link_to_page" && isPlainObject(block.link_to_page) ? block.link_to_page.page_id : undefined;
    const own = block.type === "child_page" || block.type === "child_database" ? [toId(block.id)] : [];
    return [...own, ...(typeof linked === "string" ? [toId(linked)] : []), ...childrenOf(children)];
  });
}
