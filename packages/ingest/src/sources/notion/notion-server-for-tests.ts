/** A server that implements Notion's API as documented in its reference: version 2025-09-03, paginated lists, errors as JSON. */
import { isPlainObject } from "@bridle/protocol";
import { type ApiCall, type ApiReply, type ApiServer, startApiServer } from "../testing/api-server-for-tests.ts";

export const notionToken = "ntn_for_tests_0123456789";

export interface TestPage {
  readonly id: string;
  readonly title: string;
  readonly edited: string;
  readonly blocks?: readonly object[] | undefined;
  readonly archived?: boolean | undefined;
  readonly properties?: Readonly<Record<string, object>> | undefined;
  /** The data source that contains the page as a row. */
  readonly row?: string | undefined;
  /** Whether a search leaves the page out, as if it were not indexed yet. */
  readonly isUnindexed?: boolean | undefined;
}

export interface TestWorkspace {
  readonly pages: Map<string, TestPage>;
  readonly dataSources: Map<string, object>;
  /** Data sources by database. */
  readonly databases: Map<string, readonly string[]>;
  /** Blocks by parent block. */
  readonly children: Map<string, readonly object[]>;
}

export async function startNotion(
  pages: readonly TestPage[],
  pageSize = 2,
): Promise<{ readonly server: ApiServer; readonly workspace: TestWorkspace }> {
  const workspace: TestWorkspace = {
    pages: new Map(pages.map((page) => [page.id, page])),
    dataSources: new Map(),
    databases: new Map(),
    children: new Map(),
  };
  const server = await startApiServer((call) => answer(call, workspace, pageSize));
  return { server, workspace };
}

const text = (content: string) => [{ type: "text", plain_text: content, href: null, annotations: {} }];
export const paragraph = (id: string, content: string, more: object = {}): object => ({
  object: "block",
  id,
  type: "paragraph",
  has_children: false,
  paragraph: { rich_text: text(content) },
  ...more,
});
export const notionText = text;

function answer(call: ApiCall, workspace: TestWorkspace, pageSize: number): ApiReply {
  if (call.headers.authorization !== `Bearer ${notionToken}`) return failure(401, "unauthorized");
  if (call.headers["notion-version"] !== "2025-09-03") return failure(400, "missing_version");
  const [, , kind = "", id = "", action] = call.path.split("/");
  if (kind === "search") return listed(search(call.body, workspace), startOf(call), pageSize);
  if (kind === "pages")
    return found(workspace.pages.get(id), toPage, workspace.dataSources.has(id) || workspace.databases.has(id));
  if (kind === "databases")
    return found(workspace.databases.get(id), (ids) => ({
      object: "database",
      id,
      data_sources: ids.map((each) => ({ id: each, name: each })),
    }));
  if (kind === "data_sources" && action === "query")
    return listed([...workspace.pages.values()].filter(({ row }) => row === id).map(toPage), startOf(call), pageSize);
  if (kind === "data_sources") return found(workspace.dataSources.get(id), (each) => each);
  const blocks = workspace.pages.get(id)?.blocks ?? workspace.children.get(id);
  return blocks === undefined
    ? workspace.pages.has(id)
      ? listed([], 0, pageSize)
      : failure(404, "object_not_found")
    : listed(blocks, startOf(call), pageSize);
}

function search(body: unknown, { pages, dataSources }: TestWorkspace): readonly object[] {
  const value = isPlainObject(body) && isPlainObject(body.filter) ? body.filter.value : "";
  if (value === "data_source") return [...dataSources.values()];
  return [...pages.values()].filter(({ isUnindexed, archived }) => !isUnindexed && !archived).map(toPage);
}

function toPage({ id, title, edited, archived = false, properties = {} }: TestPage): object {
  const name = { Name: { id: "title", type: "title", title: text(title) } };
  const url = `https://www.notion.so/${title.replaceAll(/\W+/g, "-")}-${id.replaceAll("-", "")}`;
  return {
    object: "page",
    id,
    last_edited_time: edited,
    archived,
    in_trash: archived,
    url,
    parent: { type: "workspace" },
    properties: { ...name, ...properties },
  };
}

function startOf({ query, body }: ApiCall): number {
  const cursor = query.get("start_cursor") ?? (isPlainObject(body) ? body.start_cursor : undefined);
  return Number(cursor ?? 0);
}

function listed(all: readonly object[], start: number, pageSize: number): ApiReply {
  const end = start + pageSize;
  const hasMore = end < all.length;
  return {
    json: {
      object: "list",
      results: all.slice(start, end),
      has_more: hasMore,
      next_cursor: hasMore ? String(end) : null,
    },
  };
}

function found<Thing>(thing: Thing | undefined, toJson: (thing: Thing) => object, isOther = false): ApiReply {
  if (thing !== undefined) return { json: toJson(thing) };
  return isOther ? failure(400, "validation_error") : failure(404, "object_not_found");
}

export function failure(status: number, code: string, headers: Readonly<Record<string, string>> = {}): ApiReply {
  return { status, json: { object: "error", status, code, message: `The token ${notionToken} …` }, headers };
}
