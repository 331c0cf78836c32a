import { expect, test } from "vitest";
import type { FetchContext, SourceItem } from "../source.ts";
import { addFiles, fetchSource, folderWith } from "../testing/collect-fetch-for-tests.ts";
import { failure, notionText, notionToken, paragraph, startNotion, type TestPage } from "./notion-server-for-tests.ts";

const page = (id: string, title: string, words: string, more: Partial<TestPage> = {}): TestPage => ({
  id,
  title,
  edited: "2026-03-04T10:15:00.000Z",
  blocks: [paragraph(`${id}-1`, words)],
  ...more,
});
const fares = page("a-1", "Fares", "Amounts are in cents.");
const docks = page("c-3", "Docks", "A dock.");
const three = [fares, page("b-2", "Rain", "Rain mode."), docks];
const noon = () => new Date("2026-03-05T12:00:00Z");

function fetchNotion(url: string, settings: object = {}, context: Partial<FetchContext> = {}) {
  return fetchSource(
    { type: "notion", token: notionToken, url, ...settings },
    { now: noon, waitsMs: [1, 1, 1] },
    context,
  );
}
const idsOf = (items: readonly SourceItem[]) => items.map(({ id }) => id);

test("all shared pages are items, through all parts of the lists", async () => {
  const { server } = await startNotion(three);
  const { items, isComplete, problems } = await fetchNotion(server.url);
  expect(items[0]).toEqual({
    id: "a1",
    title: "Fares",
    text: "# Fares\n\nAmounts are in cents.\n",
    kind: "page",
    authority: "document",
    links: [],
    location: "https://www.notion.so/Fares-a1",
    updatedAt: "2026-03-04T10:15:00.000Z",
  });
  expect([idsOf(items), isComplete, problems]).toEqual([["a1", "b2", "c3"], true, []]);
  expect(server.calls[0]?.headers["user-agent"]).toBeDefined();
});

test("an unchanged page is not read again, and a page that is gone from Notion is not reported", async () => {
  const { server, workspace } = await startNotion(three);
  const { cursor } = await fetchNotion(server.url);
  workspace.pages.set("b-2", page("b-2", "Rain", "Rain mode halves.", { edited: "2026-03-05T13:00:00.000Z" }));
  workspace.pages.set("c-3", { ...docks, archived: true });
  const before = server.count("/children");
  const again = await fetchNotion(server.url, {}, { cursor });
  expect([again.unchanged, idsOf(again.items), again.isComplete]).toEqual([["a1"], ["b2"], true]);
  expect(server.count("/children") - before).toBe(1);
});

test("a page that was edited in the minute of the last fetch is read again, since Notion's times have no seconds", async () => {
  const { server } = await startNotion([page("a-1", "Fares", "x", { edited: "2026-03-05T11:59:00.000Z" })]);
  const { cursor } = await fetchNotion(server.url);
  const again = await fetchNotion(server.url, {}, { cursor });
  expect([again.unchanged, idsOf(again.items)]).toEqual([[], ["a1"]]);
});

test("a page that the search index does not have yet is not gone", async () => {
  const { server, workspace } = await startNotion(three);
  const { cursor } = await fetchNotion(server.url);
  workspace.pages.set("a-1", { ...fares, isUnindexed: true });
  workspace.pages.set("a1", { ...fares, isUnindexed: true });
  expect((await fetchNotion(server.url, {}, { cursor })).unchanged.toSorted()).toEqual(["a1", "b2", "c3"]);
});

test("with roots, pages and rows of databases below them are read, and links are followed once", async () => {
  const link = (id: string) => ({ id, type: "child_page", has_children: true, child_page: { title: id } });
  const { server, workspace } = await startNotion([
    page("r1", "Root", "", {
      blocks: [
        link("a1"),
        { id: "db1", type: "child_database", child_database: { title: "Terms" } },
        paragraph("p", "Text."),
      ],
    }),
    page("a1", "Child", "", { blocks: [link("r1")] }),
    page("x9", "Elsewhere", "Not below the root."),
    page("row1", "Gross fare", "Before refunds.", {
      row: "ds1",
      properties: {
        Status: { type: "status", status: { name: "approved" } },
        Owner: { type: "people", people: [{ name: "Ada" }] },
      },
    }),
  ]);
  workspace.databases.set("db1", ["ds1"]);
  workspace.dataSources.set("ds1", {
    object: "data_source",
    id: "ds1",
    title: notionText("Terms"),
    description: notionText("What our words mean."),
    properties: {
      Name: { type: "title", title: {} },
      Status: {
        type: "status",
        status: { options: [{ name: "draft" }, { name: "approved" }] },
        description: "Who has agreed.",
      },
    },
  });
  const { items, isComplete } = await fetchNotion(server.url, { pages: ["r1"] });
  expect(items.map(({ id, kind, text, links }) => [id, kind, text, links])).toEqual([
    ["r1", "page", "# Root\n\n[[a1]]\n\n[[Terms]]\n\nText.\n", ["a1", "db1"]],
    ["a1", "page", "# Child\n\n[[r1]]\n", ["r1"]],
    [
      "ds1",
      "database",
      "# Terms\n\nWhat our words mean.\n\n## Columns\n\n- Name (title)\n- Status (status): draft, approved. Who has agreed.",
      undefined,
    ],
    ["row1", "page", "# Gross fare\n\nStatus: approved\n\nBefore refunds.\n", []],
  ]);
  expect(isComplete).toBe(true);
  const again = await fetchNotion(
    server.url,
    { pages: ["r1"] },
    { cursor: (await fetchNotion(server.url, { pages: ["r1"] })).cursor },
  );
  expect(again.unchanged.toSorted()).toEqual(["a1", "r1", "row1"]);
});

const block = (type: string, content: object, more: object = {}) => ({
  id: `${type}-${JSON.stringify(content).length}-${JSON.stringify(more).length}`,
  type,
  [type]: content,
  ...more,
});
const rich = (words: string, annotations = {}, href: string | null = null) => ({
  plain_text: words,
  href,
  annotations,
});

test.each<[string, readonly object[], string]>([
  [
    "headings",
    [block("heading_1", { rich_text: notionText("One") }), block("heading_3", { rich_text: notionText("Three") })],
    "# One\n\n### Three",
  ],
  [
    "marks and links",
    [
      block("paragraph", {
        rich_text: [
          rich("plain "),
          rich("bold ", { bold: true }),
          rich("x", { code: true }),
          rich("here", {}, "https://e.org"),
          rich("bad", {}, "javascript:x"),
        ],
      }),
    ],
    "plain **bold** `x`[here](https://e.org)bad",
  ],
  [
    "lists",
    [
      block("bulleted_list_item", { rich_text: notionText("a") }),
      block("numbered_list_item", { rich_text: notionText("b") }),
      block("to_do", { rich_text: notionText("c"), checked: true }),
    ],
    "- a\n1. b\n- [x] c",
  ],
  [
    "quotes and callouts",
    [block("quote", { rich_text: notionText("a\nb") }), block("callout", { rich_text: notionText("Note") })],
    "> a\n> b\n\n> Note",
  ],
  [
    "code and equations",
    [block("code", { rich_text: notionText("select 1"), language: "sql" }), block("equation", { expression: "a/b" })],
    "```sql\nselect 1\n```\n\n$$a/b$$",
  ],
  [
    "captions and unknown blocks",
    [
      block("image", { caption: notionText("Revenue by week"), file: { url: "https://x/y?token=1" } }),
      block("breadcrumb", {}),
      block("unsupported", {}),
    ],
    "Revenue by week",
  ],
  [
    "trashed blocks, which are left out",
    [block("paragraph", { rich_text: notionText("gone") }, { in_trash: true }), block("divider", {})],
    "---",
  ],
])("blocks of a page become Markdown: %s", async (_, blocks, expected) => {
  const { server } = await startNotion([page("a1", "P", "", { blocks })]);
  const { items } = await fetchNotion(server.url);
  expect(items[0]?.text).toBe(`# P\n\n${expected}\n`);
});

test("tables, columns, toggles and nested lists keep their content", async () => {
  const holds = (id: string, type: string, content: object = {}) => ({ id, type, has_children: true, [type]: content });
  const { server, workspace } = await startNotion([
    page("a1", "P", "", {
      blocks: [
        holds("t", "table"),
        holds("cl", "column_list"),
        holds("l", "bulleted_list_item", { rich_text: notionText("outer") }),
        holds("tg", "toggle", { rich_text: notionText("More") }),
      ],
    }),
  ]);
  const row = (id: string, ...cells: string[]) => ({
    id,
    type: "table_row",
    table_row: { cells: cells.map(notionText) },
  });
  workspace.children.set("t", [row("r1", "zone", "price"), row("r2", "A|B", "2"), row("r3", "C", "3")]);
  workspace.children.set("cl", [holds("c", "column")]);
  workspace.children.set("c", [paragraph("p1", "In a column.")]);
  workspace.children.set("l", [
    { id: "l2", type: "bulleted_list_item", bulleted_list_item: { rich_text: notionText("inner") } },
  ]);
  workspace.children.set("tg", [paragraph("p2", "Hidden fact."), holds("tg", "toggle")]);
  const { items } = await fetchNotion(server.url);
  expect(items[0]?.text).toBe(
    "# P\n\n| zone | price |\n| --- | --- |\n| A B | 2 |\n| C | 3 |\n\nIn a column.\n\n- outer\n  - inner\n\nMore\n\nHidden fact.\n",
  );
});

test("a rate limit is waited for, and a broken connection is tried again", async () => {
  const { server } = await startNotion(three);
  server.plan("/children", failure(429, "rate_limited", { "Retry-After": "0" }), { isBroken: true });
  const { items, problems } = await fetchNotion(server.url);
  expect([idsOf(items), problems]).toEqual([["a1", "b2", "c3"], []]);
});

const times = (count: number, reply: object) => Array.from({ length: count }, () => reply);

test.each<[string, readonly object[], string]>([
  [
    "a page that may not be read",
    [failure(403, "restricted_resource")],
    "Notion does not show the page Fares to this login (403). Share it, or leave it out.",
  ],
  [
    "an error of the server",
    times(4, failure(500, "internal_server_error")),
    "Notion failed to send the page Fares (500). Try again later.",
  ],
  [
    "a rate limit of an hour",
    [failure(429, "rate_limited", { "Retry-After": "3600" })],
    "Notion has had too many requests (429), and did not send the page Fares. Try again in 3600 seconds.",
  ],
  [
    "an answer that is no JSON",
    [{ text: "<html>" }],
    "Notion sent an unexpected answer about the page Fares. Try again, or leave it out.",
  ],
  [
    "an answer of another form",
    [{ json: { results: 3 } }],
    "Notion sent an unexpected answer about the page Fares. Try again, or leave it out.",
  ],
  [
    "an answer that is nested without end",
    [{ text: "[".repeat(5_000) + "]".repeat(5_000) }],
    "Notion sent an unexpected answer about the page Fares. Try again, or leave it out.",
  ],
])("%s is a problem of the page, and the others are read", async (_, replies, message) => {
  const { server } = await startNotion(three);
  server.plan("/children", ...replies);
  const { items, problems, isComplete } = await fetchNotion(server.url);
  expect(idsOf(items)).toEqual(["b2", "c3"]);
  expect(problems).toEqual([{ id: "a1", message }]);
  expect(isComplete).toBe(true);
});

test("after a page that could not be read, the next fetch reads it", async () => {
  const { server } = await startNotion(three);
  server.plan("/children", failure(403, "restricted_resource"));
  const { cursor } = await fetchNotion(server.url);
  const again = await fetchNotion(server.url, {}, { cursor });
  expect([again.unchanged, idsOf(again.items)]).toEqual([["b2", "c3"], ["a1"]]);
});

test.each<[string, string, readonly object[], RegExp]>([
  [
    "a token that expires",
    "/children",
    [failure(401, "unauthorized")],
    /^Notion refused the login \(401\)\. Correct the token of the source: it may have expired\. Items that were not read yet were not changed\.$/,
  ],
  [
    "a connection that stays broken",
    "/children",
    times(4, { isBroken: true }),
    /^The connection to Notion at .+ was lost .+ Items that were not read yet were not changed\.$/,
  ],
  [
    "a list that breaks off",
    "/search",
    [
      { json: { object: "list", results: [], has_more: false, next_cursor: null } },
      {
        json: {
          results: [{ object: "page", id: "z", last_edited_time: "2026-01-01T00:00:00Z", properties: {} }],
          has_more: true,
          next_cursor: "1",
        },
      },
      ...times(4, failure(503, "service_unavailable")),
    ],
    /^Notion failed to send the list of pages \(503\)/,
  ],
  ["a server that is down", "/children", times(20, failure(502, "bad_gateway")), /^Notion failed to send the page/],
])("%s ends the fetch with one sentence, and nothing counts as deleted", async (_, path, replies, message) => {
  const { server, workspace } = await startNotion([
    page("0", "First", "x"),
    ...three,
    page("d4", "D", "d"),
    page("z", "Z", "z"),
  ]);
  if (path === "/search") workspace.pages.delete("0");
  else server.plan("/blocks/0/", { json: { results: [], has_more: false } });
  server.plan(path, ...replies);
  const { problems, isComplete } = await fetchNotion(server.url);
  expect(problems.at(-1)?.message).toMatch(message);
  expect(problems.at(-1)?.id).toBeUndefined();
  expect(isComplete).toBe(false);
  expect(JSON.stringify(problems)).not.toContain(notionToken);
});

test("a wrong token and an address that nothing listens at are errors", async () => {
  const { server } = await startNotion(three);
  await expect(fetchNotion(server.url, { token: "wrong" })).rejects.toMatchObject({
    code: "authentication",
    message: expect.stringMatching(/^Notion refused the login/),
  });
  await expect(fetchNotion("http://127.0.0.1:1")).rejects.toMatchObject({ code: "network" });
  await expect(fetchNotion("http://notion.example.org")).rejects.toThrow(/does not begin with https/);
  await expect(fetchSource({ type: "notion" })).rejects.toThrow(
    /needs either path, for an export, or token, for the API/,
  );
});

test("an aborted fetch ends at once with the reason of its signal", async () => {
  const { server } = await startNotion(three);
  const controller = new AbortController();
  server.plan("/children", failure(429, "rate_limited", { "Retry-After": "60" }));
  setTimeout(() => controller.abort(new Error("enough")), 50);
  await expect(fetchNotion(server.url, {}, { signal: controller.signal })).rejects.toThrow(/enough|abort/i);
});

test("a list that never ends is a problem", async () => {
  const { server } = await startNotion([]);
  server.plan(
    "/search",
    { json: { results: [], has_more: false } },
    ...times(3, { json: { results: [], has_more: true, next_cursor: "same" } }),
  );
  await expect(fetchNotion(server.url)).rejects.toThrow(/sent the same part of the list of pages again and again/);
});

const hex = (digit: string) => digit.repeat(32);

test("in an export, the id of a page is that of its name, and stays if the page is renamed or moved", async () => {
  const folder = folderWith({
    [`Wiki ${hex("a")}/Fares ${hex("b")}.md`]: `# Fares\n\nLast edited time: March 4, 2026 10:15 AM\n\nSee [Rain](../Rain%20${hex("c")}.md).\n`,
    [`Terms ${hex("d")}.csv`]: "Name,Status\nGross,ok\n",
    [`Terms ${hex("d")}_all.csv`]: "Name,Status\nGross,ok\nNet,draft\n",
    "plain.md": "---\ntitle: Plain\nlast_edited: 2026-02-01\n---\n# Plain\n",
    [`Copy ${hex("b")}.md`]: "# A copy\n",
  });
  const { items, problems, isComplete } = await fetchSource({ type: "notion", path: folder });
  expect(items.map(({ id, title, kind, updatedAt, links }) => [id, title, kind, updatedAt, links])).toEqual(
    [
      [hex("b"), "A copy", "page", undefined, []],
      [hex("d"), "Terms", "database", undefined, []],
      ["plain.md", "Plain", "page", "2026-02-01", []],
    ].toSorted(),
  );
  expect(items.find(({ id }) => id === hex("d"))?.text).toContain("Net");
  expect(problems).toEqual([
    { message: `Wiki ${hex("a")}/Fares ${hex("b")}.md has the id of Copy ${hex("b")}.md. Remove one of them.` },
  ]);
  expect(isComplete).toBe(true);
  const moved = folderWith({});
  addFiles(moved, { [`New name ${hex("b")}.md`]: "# Fares\n\nUpdated: March 4, 2026\n" });
  expect((await fetchSource({ type: "notion", path: moved })).items).toMatchObject([
    { id: hex("b"), updatedAt: "2026-03-04" },
  ]);
});
