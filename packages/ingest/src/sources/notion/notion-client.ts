/** Calls the part of Notion's API that Bridle reads, and reads lists to their end. */
import { ApiClient, ApiError } from "../api/api-client.ts";
import type { SourceServices } from "../kinds/source-kind.ts";
import type { BlockTree } from "./block-markdown.ts";
import {
  blockList,
  type NotionBlock,
  type NotionDataSource,
  type NotionPage,
  notionDatabase,
  notionDataSource,
  notionPage,
  objectList,
} from "./notion-schema.ts";

const version = "2025-09-03";
const pageSize = 100;
const maxBlocks = 20_000;
const maxLevels = 30;
const maxLists = 100_000;

export class NotionClient {
  readonly #api: ApiClient;

  constructor(base: URL, token: string, services: SourceServices) {
    const headers = { Authorization: `Bearer ${token}`, "Notion-Version": version };
    const loginRemedy = "Correct the token of the source: it may have expired.";
    this.#api = new ApiClient({ product: "Notion", base, loginRemedy, services, headers: async () => headers });
  }

  /** Finds everything shared with the integration, as far as Notion has indexed it. */
  search(value: "page" | "data_source", signal: AbortSignal): AsyncIterable<NotionPage | NotionDataSource> {
    const sort = { timestamp: "last_edited_time", direction: "ascending" };
    return this.#list("/v1/search", { filter: { property: "object", value }, sort }, "the list of pages", signal);
  }

  rows(dataSource: string, signal: AbortSignal): AsyncIterable<NotionPage | NotionDataSource> {
    return this.#list(
      `/v1/data_sources/${encodeURIComponent(dataSource)}/query`,
      {},
      `the rows of ${dataSource}`,
      signal,
    );
  }

  page(id: string, signal: AbortSignal): Promise<NotionPage> {
    return this.#api.ask({ path: `/v1/pages/${encodeURIComponent(id)}`, what: `the page ${id}`, signal }, notionPage);
  }

  dataSource(id: string, signal: AbortSignal): Promise<NotionDataSource> {
    const path = `/v1/data_sources/${encodeURIComponent(id)}`;
    return this.#api.ask({ path, what: `the data source ${id}`, signal }, notionDataSource);
  }

  /** Returns the ids of a database's data sources. */
  async dataSourcesOf(database: string, signal: AbortSignal): Promise<readonly string[]> {
    const path = `/v1/databases/${encodeURIComponent(database)}`;
    const found = await this.#api.ask({ path, what: `the database ${database}`, signal }, notionDatabase);
    return found.archived || found.in_trash ? [] : found.data_sources.map(({ id }) => id);
  }

  /** Returns all blocks of a page with their children, but without the content of sub-pages. */
  async blocks(page: string, title: string, signal: AbortSignal): Promise<readonly BlockTree[]> {
    return new BlockReader(this.#api, title, signal).read(page, 0);
  }

  async *#list(
    path: string,
    body: object,
    what: string,
    signal: AbortSignal,
  ): AsyncIterable<NotionPage | NotionDataSource> {
    let cursor: string | undefined;
    for (let count = 0; count < maxLists; count += 1) {
      const sent = { ...body, page_size: pageSize, ...(cursor === undefined ? {} : { start_cursor: cursor }) };
      const { results, has_more, next_cursor } = await this.#api.ask({ path, body: sent, what, signal }, objectList);
      for (const result of results) {
        const page = notionPage.safeParse(result);
        const source = page.success ? page : notionDataSource.safeParse(result);
        if (source.success) yield source.data;
      }
      if (!has_more || !next_cursor) return;
      if (next_cursor === cursor)
        throw new ApiError("odd", `Notion sent the same part of ${what} again and again. Try again later.`);
      cursor = next_cursor;
    }
  }
}

class BlockReader {
  readonly #api: ApiClient;
  readonly #title: string;
  readonly #signal: AbortSignal;
  readonly #seen = new Set<string>();

  constructor(api: ApiClient, title: string, signal: AbortSignal) {
    this.#api = api;
    this.#title = title;
    this.#signal = signal;
  }

  async read(id: string, level: number): Promise<readonly BlockTree[]> {
    if (level > maxLevels) throw this.#tooMuch(`more than ${maxLevels} levels of blocks`);
    const trees: BlockTree[] = [];
    for await (const block of this.#children(id)) {
      if (this.#seen.has(block.id) || block.archived || block.in_trash) continue;
      this.#seen.add(block.id);
      if (this.#seen.size > maxBlocks) throw this.#tooMuch(`more than ${maxBlocks.toLocaleString("en")} blocks`);
      const isOther = block.type === "child_page" || block.type === "child_database";
      trees.push({ block, children: block.has_children && !isOther ? await this.read(block.id, level + 1) : [] });
    }
    return trees;
  }

  async *#children(id: string): AsyncIterable<NotionBlock> {
    const path = `/v1/blocks/${encodeURIComponent(id)}/children`;
    let cursor: string | undefined;
    for (;;) {
      const query = { page_size: pageSize, start_cursor: cursor };
      const request = { path, query, what: `the page ${this.#title}`, signal: this.#signal };
      const { results, has_more, next_cursor } = await this.#api.ask(request, blockList);
      yield* results;
      if (!has_more || !next_cursor || next_cursor === cursor) return;
      cursor = next_cursor;
    }
  }

  #tooMuch(what: string): ApiError {
    return new ApiError("odd", `The page ${this.#title} has ${what}, and is not read. Split it.`);
  }
}
