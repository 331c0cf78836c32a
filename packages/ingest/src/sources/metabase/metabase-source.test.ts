import { expect, test } from "vitest";
import { type Candidate, candidateSchema } from "../candidate.ts";
import type { FetchContext } from "../source.ts";
import { fetchSource, folderWith, projectItems } from "../testing/collect-fetch-for-tests.ts";
import { metabaseKey, nativeCard, startMetabase } from "./metabase-server-for-tests.ts";

const gross = nativeCard(
  42,
  "Gross fare by week",
  "select date_trunc('week', started_at) w, sum(f.amount_cents)/100.0 from trips t join fares f on f.trip_id=t.id where t.status='completed' group by 1",
);
const tables = ["shop.main.trips", "shop.main.fares"];

const withKey = { apiKey: metabaseKey };

function fetchCards(url: string, settings: object = withKey, context: Partial<FetchContext> = {}) {
  const login = "username" in settings ? {} : withKey;
  return fetchSource({ type: "metabase", url, ...login, ...settings }, { waitsMs: [1, 1, 1] }, context);
}

test("a card is an item with its collection, its database and its SQL written out", async () => {
  const { server, metabase } = await startMetabase([
    nativeCard(7, "Done trips", "select * from trips where {{snippet: done}}", {
      type: "model",
      collection_id: 5,
      result_metadata: [{ name: "id", description: "Number of the trip." }, { name: "x" }],
    }),
    nativeCard(8, "Weekly", "select count(*) as rides from {{#7}} t [[where zone = {{zone}}]]", {
      description: "Rides that ended.",
      collection_id: 6,
      moderation_reviews: [{ status: "verified", most_recent: true }],
    }),
  ]);
  metabase.collections.push({ id: 5, name: "Ops", location: "/" }, { id: 6, name: "Reports", location: "/5/" });
  metabase.snippets.push({ id: 1, name: "done", content: "status = 'done'" });
  const { items, isComplete } = await fetchCards(server.url);
  expect(items).toEqual([
    {
      id: "card/7",
      title: "Done trips",
      kind: "card",
      authority: "inferred",
      location: `${server.url}/question/7`,
      links: [],
      updatedAt: "2026-03-04T10:00:00.000Z",
      text: "# Done trips\n\nKind: model\nCollection: Ops\nDatabase: Shop (1)\n\n```sql\nselect * from trips where status = 'done'\n```\n\nColumns:\n\n- id: Number of the trip.\n",
    },
    {
      id: "card/8",
      title: "Weekly",
      kind: "card",
      authority: "certified",
      location: `${server.url}/question/8`,
      links: ["card/7"],
      updatedAt: "2026-03-04T10:00:00.000Z",
      text: "# Weekly\n\nRides that ended.\n\nKind: question\nCollection: Ops / Reports\nDatabase: Shop (1)\n\n```sql\nselect count(*) as rides from (select * from trips where status = 'done') t\n```\n\nUsed if their parameters are filled in:\n\n- where zone = {{zone}}\n",
    },
  ]);
  expect(isComplete).toBe(true);
});

test("archived cards, personal collections and collections that are not shown are left out", async () => {
  const { server, metabase } = await startMetabase([
    gross,
    nativeCard(1, "Archived", "select 1", { archived: true }),
    nativeCard(2, "Personal", "select 1", { collection_id: 9 }),
    nativeCard(3, "In an archived collection", "select 1", { collection_id: 10 }),
    nativeCard(4, "In a hidden collection", "select 1", { collection_id: 11 }),
    nativeCard(5, "Finance", "select 1", { collection_id: 13 }),
  ]);
  metabase.collections.push(
    { id: 9, name: "Ada's", personal_owner_id: 3, location: "/" },
    { id: 10, name: "Old", archived: true, location: "/" },
  );
  metabase.collections.push(
    { id: 12, name: "Finance", location: "/", authority_level: "official" },
    { id: 13, name: "Weekly", location: "/12/", authority_level: "official" },
  );
  const { items } = await fetchCards(server.url);
  expect(items.map(({ id, authority }) => `${id} ${authority}`)).toEqual(["card/42 inferred", "card/5 certified"]);
  const chosen = await fetchCards(server.url, { collections: ["finance", "Gone"] });
  expect(chosen.items.map(({ id }) => id)).toEqual(["card/5"]);
  expect(chosen.problems).toEqual([
    { message: "Metabase has no collection gone, or does not show it. Correct collections of the source." },
  ]);
});

test("cards that use each other in a circle, and those with missing parts, are problems of these cards", async () => {
  const { server } = await startMetabase([
    gross,
    nativeCard(1, "A", "select * from {{#2}}"),
    nativeCard(2, "B", "select * from {{#1}}"),
    nativeCard(3, "C", "{{snippet: gone}}"),
  ]);
  const { items, problems, isComplete } = await fetchCards(server.url);
  expect(items.map(({ id }) => id)).toEqual(["card/42"]);
  expect(problems).toEqual([
    {
      id: "card/1",
      message: "The card A is not read: it uses itself: card 1 → card 2 → card 1. Correct it, or archive it.",
    },
    {
      id: "card/2",
      message: "The card B is not read: it uses itself: card 2 → card 1 → card 2. Correct it, or archive it.",
    },
    {
      id: "card/3",
      message: "The card C is not read: it uses the snippet gone, which there is not. Correct it, or archive it.",
    },
  ]);
  expect(isComplete).toBe(true);
});

test("a question that was clicked together has the SQL that Metabase compiles, without running it", async () => {
  const query = {
    "lib/type": "mbql/query",
    database: 1,
    stages: [{ "lib/type": "mbql.stage/mbql", "source-table": 3 }],
  };
  const { server } = await startMetabase([
    nativeCard(1, "Clicked", "", { dataset_query: query }),
    nativeCard(2, "New form", "", { dataset_query: { database: 1, stages: [{ native: "select 2" }] } }),
  ]);
  const { items } = await fetchCards(server.url);
  expect(items.map(({ text }) => /```sql\n(.*)\n```/.exec(text)?.[1])).toEqual([
    'SELECT COUNT(*) AS "count" FROM "main"."trips"',
    "select 2",
  ]);
  expect(server.calls.find(({ path }) => path === "/api/dataset/native")?.body).toEqual(query);
  server.plan("/api/dataset/native", { status: 403, text: "You don't have permissions to do that." });
  expect((await fetchCards(server.url)).items[0]?.text).not.toContain("```");
});

test("the next fetch reads only cards that changed, also if a card within them did", async () => {
  const { server, metabase } = await startMetabase([
    gross,
    nativeCard(1, "Base", "select 1"),
    nativeCard(2, "On top", "select * from {{#1}}", { moderation_reviews: undefined }),
  ]);
  const { cursor } = await fetchCards(server.url);
  expect((await fetchCards(server.url, {}, { cursor })).unchanged).toEqual(["card/42", "card/1", "card/2"]);
  expect(server.count("/api/card/2")).toBe(1);
  metabase.cards.set(1, nativeCard(1, "Base", "select 3"));
  const again = await fetchCards(server.url, {}, { cursor });
  expect([again.unchanged, again.items.map(({ id }) => id)]).toEqual([["card/42"], ["card/1", "card/2"]]);
});

test("an account with a password logs in, and again if its session ends", async () => {
  const { server, metabase } = await startMetabase([nativeCard(1, "A", "select 1", { moderation_reviews: undefined })]);
  const account = { username: "ada@example.org", password: "right" };
  server.plan("/api/card/1", { status: 401, text: "Unauthenticated" });
  const { items } = await fetchCards(server.url, account);
  expect([items.length, metabase.sessions.size]).toEqual([1, 2]);
  await expect(fetchCards(server.url, { ...account, password: "wrong" })).rejects.toThrow(
    "Metabase refused the login (401). Correct username and password of the source.",
  );
});

test("a login that ends for good ends the fetch with one sentence, and nothing counts as deleted", async () => {
  const { server } = await startMetabase([gross, nativeCard(1, "A", "select 1", { moderation_reviews: undefined })]);
  server.plan("/api/card/1", { status: 401 }, { status: 401 });
  const { items, problems, isComplete } = await fetchCards(server.url);
  expect([items.map(({ id }) => id), isComplete]).toEqual([["card/42"], false]);
  expect(problems).toEqual([
    {
      message:
        "Metabase refused the login (401). Correct apiKey of the source: it may have been revoked. Items that were not read yet were not changed.",
    },
  ]);
  expect(JSON.stringify(problems)).not.toContain(metabaseKey);
});

test.each([
  [{ status: 403 }, "Metabase does not show the card A to this login (403). Share it, or leave it out."],
  [{ text: "<html>" }, "Metabase sent an unexpected answer about the card A. Try again, or leave it out."],
])("a card that cannot be read is a problem of the card: %j", async (reply, message) => {
  const { server } = await startMetabase([nativeCard(1, "A", "select 1", { moderation_reviews: undefined }), gross]);
  server.plan("/api/card/1", reply);
  const { items, problems, isComplete } = await fetchCards(server.url);
  expect([items.map(({ id }) => id), problems, isComplete]).toEqual([["card/42"], [{ id: "card/1", message }], true]);
});

test("cards of another form are counted, and nothing counts as deleted", async () => {
  const { server, metabase } = await startMetabase([gross]);
  metabase.cards.set(9, { id: "nine" });
  expect(await fetchCards(server.url)).toMatchObject({
    isComplete: false,
    problems: [{ message: "1 cards have an unexpected form, and are not read." }],
  });
});

const brief = ({ body }: Candidate) =>
  body.kind === "join"
    ? `${body.from} → ${body.to}`
    : body.kind === "model-part"
      ? JSON.stringify(body.entry)
      : body.kind;

test.each<[string, string, readonly string[]]>([
  ["joins", "select 1 from trips t join fares f on f.trip_id=t.id", ["shop.main.fares.trip_id → shop.main.trips.id"]],
  [
    "measures of one table",
    "select zone, count(*) as rides, sum(amount_cents) total_cents from main.trips t where t.status = 'done' and \"t\".x is null group by 1",
    [
      `{"name":"rides","agg":"count","filters":["status = 'done'","x is null"]}`,
      `{"name":"total_cents","agg":"sum","expr":"amount_cents","filters":["status = 'done'","x is null"]}`,
    ],
  ],
  ["no measure with a parameter", "select count(*) as rides from trips where status = {{status}}", []],
  ["no measure of rows that more decides about", "select count(*) as rides from trips where a = 1 or b = 2", []],
  ["no measure without a name that says something", "select count(*) as n, sum(x) from trips", []],
  ["nothing of tables that nobody knows", "select count(*) as rides from ghosts g join trips t on t.id = g.id", []],
])("the SQL of cards is read for %s", async (_, sql, expected) => {
  const { server } = await startMetabase([nativeCard(1, "A", sql)]);
  const { source, items } = await fetchCards(server.url, { databases: { Shop: "shop" } });
  const { candidates } = await projectItems(source, items, { tables });
  expect(candidates.map(brief)).toEqual(expected);
  for (const { evidence } of candidates.map((each) => candidateSchema.parse(each)))
    expect(items[0]?.text.slice(evidence.start, (evidence.start ?? 0) + evidence.quote.length)).toBe(evidence.quote);
});

test("exported cards are read from files, and a damaged or doubled one is a problem", async () => {
  const folder = folderWith({
    "cards/42.json": JSON.stringify({
      id: 42,
      name: "Gross fare by week",
      database_id: 1,
      dataset_query: gross.dataset_query,
    }),
    "cards/all.json": JSON.stringify([
      nativeCard(1, "A", "select * from {{#42}}"),
      nativeCard(42, "Copy", "select 1"),
      nativeCard(3, "Old", "select 1", { archived: true }),
    ]),
    "cards/7-broken.json": "{",
    "cards/other.json": '{"a":1}',
    "cards/deep.json": "[".repeat(3_000) + "]".repeat(3_000),
    "snippets.json": JSON.stringify([{ name: "x", content: "y" }]),
  });
  const { source, items, problems, isComplete } = await fetchSource({ type: "metabase", path: folder });
  expect(items.map(({ id, title }) => [id, title])).toEqual([
    ["card/42", "Gross fare by week"],
    ["card/1", "A"],
  ]);
  expect(items[1]?.text).toContain("select * from (select date_trunc('week', started_at)");
  expect(problems.map(({ id, message }) => [id, message])).toEqual([
    ["card/7", "cards/7-broken.json is not a JSON file of Metabase. Export it again, or remove it."],
    [undefined, "cards/all.json has the card 42, which cards/42.json has too. Remove one of them."],
    [undefined, "cards/deep.json is not a JSON file of Metabase. Export it again, or remove it."],
    [undefined, "cards/other.json has no card of Metabase. Export it again, or remove it."],
  ]);
  expect(isComplete).toBe(true);
  const { candidates } = await projectItems(source, items, { tables });
  expect(candidates.map(({ evidence, ...each }) => [brief(each as Candidate), evidence.item, evidence.quote])).toEqual([
    ["shop.main.fares.trip_id → shop.main.trips.id", "card/42", "t join fares f on f.trip_id=t.id"],
    ["shop.main.fares.trip_id → shop.main.trips.id", "card/1", "t join fares f on f.trip_id=t.id"],
  ]);
});

test.each([
  [{}, /needs either path, for exported cards, or url, for the API/],
  [{ url: "https://m.example.org" }, /needs apiKey, or username and password/],
  [{ url: "http://m.example.org", apiKey: "k" }, /does not begin with https/],
])("settings that cannot work are refused: %j", async (settings, message) => {
  await expect(fetchSource({ type: "metabase", ...settings })).rejects.toThrow(message);
});
