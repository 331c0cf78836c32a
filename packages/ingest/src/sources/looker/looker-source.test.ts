import { expect, test } from "vitest";
import { type Candidate, candidateSchema } from "../candidate.ts";
import type { FetchContext } from "../source.ts";
import { fetchSource, folderWith, projectItems } from "../testing/collect-fetch-for-tests.ts";
import { lookerSecret, startLooker, tripsExplore } from "./looker-server-for-tests.ts";

function fetchLooker(url: string, settings: object = {}, context: Partial<FetchContext> = {}) {
  const login = { clientId: "key", clientSecret: lookerSecret };
  return fetchSource({ type: "looker", url, ...login, ...settings }, { waitsMs: [1, 1, 1] }, context);
}

const dashboard = (id: string, title: string, more: object = {}) => ({
  id,
  title,
  updated_at: "2026-03-04T10:00:00Z",
  deleted: false,
  dashboard_elements: [],
  ...more,
});
const brief = ({ body }: Candidate) =>
  body.kind === "model-part"
    ? `${body.table} ${body.part} ${body.name}`
    : body.kind === "statement"
      ? body.statement
      : body.kind;

test("an explore is an item of LookML, which the parser reads with its lines", async () => {
  const { server, looker } = await startLooker();
  looker.explores.set("trips", tripsExplore);
  const { source, items, isComplete } = await fetchLooker(server.url);
  expect(items).toMatchObject([
    {
      id: "explore/shop::trips",
      title: "Trips",
      kind: "explore",
      authority: "certified",
      location: `${server.url}/explore/shop/trips`,
      isStructured: false,
    },
  ]);
  expect(items[0]?.text).toContain("# trips.hidden_sql: Sum of fares in cents.");
  const { candidates, findings } = await projectItems(source, items, {
    tables: ["shop.main.trips", "shop.main.riders"],
  });
  expect(candidates.map(brief)).toEqual([
    "shop.main.trips model trips",
    "shop.main.trips dimension id",
    "shop.main.trips dimension status",
    "shop.main.trips dimension started",
    "shop.main.trips measure completed",
    "shop.main.riders model riders",
    "shop.main.riders dimension id",
  ]);
  expect(findings.map(({ item }) => item)).toEqual(findings.map(() => "explore/shop::trips"));
  for (const { evidence, body } of candidates.map((each) => candidateSchema.parse(each))) {
    expect(items[0]?.text.slice(evidence.start, (evidence.start ?? 0) + evidence.quote.length)).toBe(evidence.quote);
    if (body.kind === "model-part" && body.name === "completed")
      expect(evidence.quote).toBe(
        'measure: completed {\n    type: count\n    filters: [trips.status: "done"]\n    description: "Trips that ended."\n  }',
      );
  }
  expect(isComplete).toBe(true);
});

test("dashboards and looks are items with the words of their tiles, and what they show", async () => {
  const { server, looker } = await startLooker();
  const query = {
    model: "shop",
    view: "trips",
    fields: ["trips.started_week", "trips.completed"],
    filters: { "trips.status": "done" },
    dynamic_fields: JSON.stringify([{ label: "Share", expression: `\${a}/\${b}` }]),
  };
  looker.dashboards.push(
    dashboard("1", "Weekly report", {
      description: "Numbers for the board.",
      dashboard_filters: [{ title: "Zone", dimension: "trips.zone", default_value: "A" }],
      dashboard_elements: [
        { type: "text", title_text: "Read this", body_text: "<b>Gross fare</b> is before refunds." },
        { title: "Trips", note_text: "Without tests.", query },
      ],
    }),
    dashboard("2", "In the trash", { deleted: true }),
    dashboard("3", "Personal", { folder: { id: "9", is_personal: true } }),
  );
  looker.looks.push({ id: 7, title: "Trips by week", updated_at: "2026-03-01T00:00:00Z", query, folder: { id: "5" } });
  const { items } = await fetchLooker(server.url);
  expect(items.map(({ id, title, authority, updatedAt }) => [id, title, authority, updatedAt])).toEqual([
    ["dashboard/1", "Weekly report", "document", "2026-03-04T10:00:00.000Z"],
    ["look/7", "Trips by week", "document", "2026-03-01T00:00:00.000Z"],
  ]);
  expect(items[0]?.text).toBe(
    `# Weekly report\n\nNumbers for the board.\n\nFilters:\n\n- Zone (trips.zone): A\n\n## Read this\n\nGross fare is before refunds.\n\n## Trips\n\nWithout tests.\n\nExplore: shop::trips\nFields: trips.started_week, trips.completed\n\nFilters:\n\n- trips.status: done\n\nShare = \${a}/\${b}\n`,
  );
  expect((await fetchLooker(server.url, { folders: ["5"] })).items.map(({ id }) => id)).toEqual(["look/7"]);
});

test("lists are read in parts, and what has not changed is not read again", async () => {
  const { server, looker } = await startLooker();
  looker.dashboards.push(...Array.from({ length: 230 }, (_, i) => dashboard(String(i), `D${i}`)));
  const { items, cursor } = await fetchLooker(server.url);
  expect([items.length, server.count("/dashboards/search")]).toEqual([230, 3]);
  looker.dashboards[3] = dashboard("3", "D3", { updated_at: "2026-03-05T10:00:00Z" });
  const again = await fetchLooker(server.url, {}, { cursor });
  expect([again.unchanged.length, again.items.map(({ id }) => id)]).toEqual([229, ["dashboard/3"]]);
});

test("a token that has expired is renewed, and a wrong key is an error without the secret", async () => {
  const { server, looker } = await startLooker();
  looker.explores.set("trips", tripsExplore);
  server.plan("/explores/", { status: 401 });
  expect((await fetchLooker(server.url)).items.length).toBe(1);
  expect(looker.tokens.size).toBe(2);
  const failed = await fetchLooker(server.url, { clientSecret: "wrong-secret" }).catch((error: unknown) => error);
  expect(String(failed)).toMatch(
    /Looker refused the login \(401\)\. Correct clientId and clientSecret of the source\.$/,
  );
  expect(String(failed)).not.toContain("wrong-secret");
});

test.each([
  [{ status: 403 }, "Looker does not show the explore trips to this login (403). Share it, or leave it out."],
  [{ json: { name: 3 } }, "Looker sent an unexpected answer about the explore trips. Try again, or leave it out."],
])("an explore that cannot be read is a problem of the explore: %j", async (reply, message) => {
  const { server, looker } = await startLooker();
  looker.explores.set("trips", tripsExplore);
  looker.dashboards.push(dashboard("1", "D"));
  server.plan("/explores/", reply);
  const { items, problems, isComplete } = await fetchLooker(server.url, { models: ["shop", "gone"] });
  expect(items.map(({ id }) => id)).toEqual(["dashboard/1"]);
  expect(problems).toEqual([
    { message: "Looker has no model gone, or does not show it. Correct models of the source." },
    { id: "explore/shop::trips", message },
  ]);
  expect(isComplete).toBe(true);
});

test("a connection that breaks in the middle ends the fetch, and nothing counts as deleted", async () => {
  const { server, looker } = await startLooker();
  looker.explores.set("trips", tripsExplore);
  server.plan("/dashboards/search", ...Array.from({ length: 4 }, () => ({ isBroken: true })));
  const { items, problems, isComplete } = await fetchLooker(server.url);
  expect([items.length, problems.length, isComplete]).toEqual([1, 1, false]);
  expect(problems[0]?.message).toMatch(
    /^The connection to Looker at .+ was lost .+ Items that were not read yet were not changed\.$/,
  );
});

test("exported files are read, and names and SQL that would break out of the LookML are left out", async () => {
  const hostile = {
    name: "x",
    model_name: "shop",
    view_name: "v",
    sql_table_name: "main.t ;; } view: evil { sql_table_name: e",
    fields: {
      dimensions: [
        { name: "v.a b {", type: "number", sql: "1" },
        {
          name: "v.ok",
          type: "string",
          sql: `\${TABLE}.ok ;; } measure: m { type: count`,
          description: 'He said "hi" } \\',
        },
      ],
      measures: [{ name: "v.n", type: "count }", sql: "1" }],
    },
  };
  const folder = folderWith({
    "shop/trips.json": JSON.stringify({ ...tripsExplore, model_name: "shop" }),
    "d.json": JSON.stringify([dashboard("1", "D"), { id: 2, title: "L", query: { view: "trips" } }]),
    "x.json": JSON.stringify(hostile),
  });
  const { source, items, problems, isComplete } = await fetchSource({ type: "looker", path: folder });
  expect([items.map(({ id }) => id), problems, isComplete]).toEqual([
    ["dashboard/1", "look/2", "explore/shop::trips", "explore/shop::x"],
    [],
    true,
  ]);
  const { candidates } = await projectItems(source, items);
  expect(candidates.map(brief).filter((each) => /evil|measure m\b/.test(each))).toEqual([]);
  const broken = folderWith({ "a.json": "{", "b.json": "[".repeat(3_000) + "]".repeat(3_000) });
  expect(await fetchSource({ type: "looker", path: broken })).toMatchObject({
    items: [],
    isComplete: false,
    problems: [{ message: "a.json is not a JSON file of Looker. Export it again, or remove it." }, {}],
  });
});

test.each([
  [{}, /needs either path, for exported files, or url, for the API/],
  [{ url: "https://l.example.org" }, /needs clientId and clientSecret of an API key/],
])("settings that cannot work are refused: %j", async (settings, message) => {
  await expect(fetchSource({ type: "looker", ...settings })).rejects.toThrow(message);
});
