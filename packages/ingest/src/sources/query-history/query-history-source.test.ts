import { expect, test } from "vitest";
import { candidateSchema } from "../candidate.ts";
import { fetchSource, folderWith, projectItems } from "../testing/collect-fetch-for-tests.ts";
import { roundDown } from "./template-items.ts";

const tables = ["shop.main.trips", "shop.main.fares"];

async function ingest(files: Readonly<Record<string, string>>, settings: object = {}) {
  const fetched = await fetchSource({ type: "query_history", path: folderWith(files), ...settings });
  const { candidates } = await projectItems(fetched.source, fetched.items, { tables });
  for (const { evidence } of candidates.map((each) => candidateSchema.parse(each))) {
    const { text = "" } = fetched.items.find(({ id }) => id === evidence.item) ?? {};
    expect(text.slice(evidence.start, (evidence.start ?? 0) + evidence.quote.length)).toBe(evidence.quote);
  }
  return { ...fetched, candidates };
}

const log = `user_name,role_name,query_text,calls
ada@example.org,ANALYST,"select sum(f.amount) from trips t join fares f on f.trip_id = t.id where t.status = 'done' and t.city = 'Porto'",40
rui@example.org,ANALYST,"SELECT sum(f.amount) FROM trips t
JOIN fares f ON f.trip_id = t.id WHERE t.status = 'open' and t.city = ""Lisboa""",80
bot,rui@example.org,"select * from trips where id = 7",1
bot,,"insert into trips values (1)",90
bot,,"select 1",90
bot,,"select * from pg_catalog.pg_class",90
`;

test("a log becomes templates without values and names, with counts, roles and the joins that people use", async () => {
  const { items, candidates, isComplete } = await ingest({ "log.csv": log });
  expect(
    items.map(({ title, text, kind, authority, isStructured }) => ({ title, text, kind, authority, isStructured })),
  ).toEqual([
    {
      title: "Query of fares, trips",
      kind: "query",
      authority: "inferred",
      isStructured: true,
      text: '# Query of fares, trips\n\nIt ran 50 times or more by 1 user or more, with the roles ANALYST.\n\n```sql\nselect sum(f.amount) from trips t join fares f on f.trip_id = t.id where t.status = ? and t.city = "Lisboa"\n```\n',
    },
    {
      title: "Query of fares, trips",
      kind: "query",
      authority: "inferred",
      isStructured: true,
      text: "# Query of fares, trips\n\nIt ran 20 times or more by 1 user or more, with the roles ANALYST.\n\n```sql\nselect sum(f.amount) from trips t join fares f on f.trip_id = t.id where t.status = ? and t.city = ?\n```\n",
    },
  ]);
  expect(JSON.stringify(items)).not.toMatch(/Porto|example\.org|done/);
  expect(candidates.map(({ body }) => body)).toEqual([
    { kind: "join", from: ["shop.main.fares.trip_id"], to: ["shop.main.trips.id"] },
    { kind: "join", from: ["shop.main.fares.trip_id"], to: ["shop.main.trips.id"] },
  ]);
  expect(isComplete).toBe(true);
});

test("statements that Bridle sent itself are not what people ask", async () => {
  const own = [
    "/* bridle */ select * from trips where status = 'done'",
    'with "metric_revenue" as (select sum(amount) from fares) select * from "metric_revenue"',
  ];
  const lines = [...own, "select * from fares where id = 1"].map((query) => JSON.stringify({ query, calls: 40 }));
  const { items } = await ingest({ "log.jsonl": lines.join("\n") });
  expect(items.map(({ title }) => title)).toEqual(["Query of fares"]);
});

test("in the SQL of MySQL and BigQuery, values in double quotes are no names", async () => {
  const { items } = await ingest({ "log.csv": log }, { dialect: "mysql" });
  expect(items.map(({ text }) => /It ran.*/.exec(text)?.[0])).toEqual([
    "It ran 100 times or more by 2 users or more, with the roles ANALYST.",
  ]);
  expect(items[0]?.text).not.toContain("Lisboa");
});

test("the id of a template does not depend on its values, and its text changes only when its use does", async () => {
  const line = (value: number, calls: number) =>
    JSON.stringify({ query: `select * from trips where id = ${value}`, calls });
  const [a, b] = await Promise.all([ingest({ "a.jsonl": line(1, 25) }), ingest({ "a.jsonl": line(2, 49) })]);
  expect(a.items).toEqual(b.items);
  expect((await ingest({ "a.jsonl": line(2, 50) })).items[0]?.text).not.toBe(a.items[0]?.text);
});

test("a filter that most queries of a table have is a statement, with its line", async () => {
  const query = (rest: string) =>
    JSON.stringify({ sql: `select ${rest} from trips where deleted_at is null`, calls: 10 });
  const { candidates } = await ingest({
    "log.jsonl": [
      query("a"),
      query("b"),
      query("c"),
      '{"sql":"select a from fares where x = 1","calls":10}',
      "no json",
      "{}",
    ].join("\n"),
  });
  expect(
    new Set(candidates.map(({ body }) => (body.kind === "statement" ? `${body.statement} ${body.tables}` : ""))),
  ).toEqual(new Set(["Most queries of trips filter by deleted_at is null. shop.main.trips"]));
  expect(candidates).toHaveLength(3);
});

test.each([
  [
    "a log of PostgreSQL as JSON",
    '{"message":"duration: 12.5 ms  statement: select * from trips","user":"ada"}\n{"message":"connection received"}\n',
    1,
  ],
  ["semicolons and a byte order mark", "\ufeffquery;calls\nselect * from trips;3\n", 1],
  ["a statement that never ends", `query\n"${"select ".repeat(400_000)}`, 0],
  ["binary data", "\u0000\u0001\u0002", 0],
  ["nothing", "", 0],
])("%s can be read", async (_, text, count) => {
  const name = text.startsWith("{") ? "log.jsonl" : "log.csv";
  const { items, isComplete } = await ingest({ [name]: text }, { minRuns: 1 });
  expect([items.length, isComplete]).toEqual([count, true]);
});

test("a log that is no file is a problem, and nothing counts as deleted", async () => {
  await expect(ingest({}, { path: "/nowhere/log.csv" })).rejects.toThrow(
    /does not exist\. Correct the path of the source\.$/,
  );
});

test.each([
  [{}, /needs connection, or path for a log/],
  [{ connection: "shop" }, /the project has none\. Add it under context\.connections/],
  [{ connection: "shop", path: "x", region: "eu`; drop" }, /is not a BigQuery region/],
])("settings that cannot work are refused: %j", async (settings, message) => {
  await expect(fetchSource({ type: "query_history", ...settings })).rejects.toThrow(message);
});

test("counts are rounded down to 1, 2 or 5 of a power of ten", () => {
  expect([0, 1, 3, 5, 9, 10, 19, 20, 49, 50, 999, 1_000].map(roundDown)).toEqual([
    0, 1, 2, 5, 5, 10, 10, 20, 20, 50, 500, 1_000,
  ]);
});
