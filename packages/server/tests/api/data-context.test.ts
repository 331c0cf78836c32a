import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scanAll, shopConnection, writeDataContext } from "../../../app/tests/support/data-context.ts";
import { createFolder, deskFiles, openTestContext } from "../../../app/tests/support/open-test-workspace.ts";
import { startApi } from "../support/start-api.ts";

async function startShop() {
  const yaml = `${deskFiles["bridle.yaml"]}${shopConnection}`;
  const folder = await createFolder({ ...deskFiles, "bridle.yaml": yaml });
  await writeDataContext(folder);
  await scanAll(await openTestContext(folder));
  return startApi({}, folder);
}

test("what is known about the data is counted, listed and shown, without values of sensitive columns", async () => {
  const { get } = await startShop();
  const { body } = await get("/context");
  expect(body).toMatchObject({
    connections: [{ name: "shop", type: "sqlite", scan: { tables: 2, columns: 7 } }],
    counts: { tables: 2, joins: 1, models: 1, measures: 1, pages: 1, contradictions: 1 },
    problems: [],
  });
  const { body: table } = await get("/context/table?table=customers");
  expect(table).toMatchObject({ id: "shop.main.customers", rows: 2, key: { columns: ["id"] } });
  expect(table.columns).toMatchObject([{}, { name: "email", sensitive: "email" }, { name: "city" }]);
  expect(JSON.stringify(table)).not.toContain("ann@");
  const { body: joins } = await get("/context/joins?table=shop.main.customers");
  expect(joins.joins[0]).toMatchObject({ from: { columns: ["customer_id"] }, status: "accepted", origin: "declared" });
  const { body: open } = await get("/context/joins?review=true");
  expect(open.joins).toHaveLength(body.counts.joinsToReview);
  const missing = await get("/context/table?table=ordrs");
  expect(missing).toMatchObject({ status: 404, body: { code: "no-such-table" } });
  expect(missing.body.detail).toContain("shop.main.orders");
});

test("tables are listed in pages, each once", async () => {
  const { get } = await startShop();
  const first = await get("/context/tables?limit=1");
  expect(first.body.tables).toMatchObject([{ id: "shop.main.customers", rows: 2, rowsAreExact: true }]);
  const second = await get(`/context/tables?limit=1&cursor=${first.body.next}`);
  expect(second.body.tables.map(({ id }: { id: string }) => id)).toEqual(["shop.main.orders"]);
  expect(second.body.next).toBeNull();
});

test("metrics are listed and compiled to their statement, and a query without a right answer says why", async () => {
  const { get } = await startShop();
  expect((await get("/context/metrics")).body.models).toMatchObject([
    { name: "orders", measures: [{ name: "orders.revenue", formula: "sum of total" }] },
  ]);
  const plan = await get("/context/metrics/plan?measures=orders.revenue&dimensions=orders.placed_on");
  expect(plan.body).toMatchObject({ connection: "shop", sql: expect.stringMatching(/sum.*"total".*GROUP BY/is) });
  const wrong = await get("/context/metrics/plan?measures=orders.revenu");
  expect(wrong).toMatchObject({ status: 422, body: { detail: expect.stringContaining('Did you mean "revenue"?') } });
});

test("pages, contradictions and what is behind them come with their documents", async () => {
  const { get } = await startShop();
  expect((await get("/context/pages")).body.pages).toMatchObject([{ page: "orders", sources: [{ source: "wiki" }] }]);
  expect((await get("/context/page?page=orders")).body.text).toContain("**paid**");
  expect((await get("/context/page?page=order")).status).toBe(404);
  const { body } = await get("/context/contradictions");
  const [{ claims }] = body.contradictions;
  expect(claims.map(({ text }: { text: string }) => text)).toEqual([
    "An order counts when it is paid.",
    "An order counts when it is sent.",
  ]);
  expect((await get("/context/why?key=orders")).body).toMatchObject({ kind: "page", claims: [{}, {}] });
  expect((await get("/context/search?query=orders")).body).toMatchObject({
    tables: [{ id: "shop.main.orders" }],
    pages: [{ page: "orders" }],
  });
});

test("a project without databases, models and pages has an overview of nothing, and says what to do first", async () => {
  const { get } = await startApi();
  expect((await get("/context")).body).toMatchObject({
    connections: [],
    ingest: null,
    counts: { tables: 0, pages: 0 },
  });
  for (const [path, key] of [
    ["tables", "tables"],
    ["joins", "joins"],
    ["metrics", "models"],
    ["pages", "pages"],
  ] as const)
    expect((await get(`/context/${path}`)).body[key]).toEqual([]);
  expect((await get("/context/contradictions")).body).toEqual({ contradictions: [] });
  expect((await get("/context/search?query=orders")).body).toMatchObject({
    status: 404,
    code: "nothing-scanned",
    detail: expect.stringContaining('"bridle context scan"'),
  });
});

test("what ingest has stored may be damaged: the overview says so, and the rest of it is there", async () => {
  const { get, folder } = await startShop();
  const file = join(folder, ".bridle/context/ingest.sqlite");
  await truncate(file, 5000);
  const { status, body } = await get("/context");
  expect(status).toBe(200);
  expect(body).toMatchObject({ counts: { tables: 2, joins: 1, pages: 1, contradictions: null }, ingest: null });
  expect(body.ingestProblem).toBe(`What ingest has stored in ${file} is damaged. Remove the file, and ingest again.`);
  const contradictions = await get("/context/contradictions");
  expect(contradictions.body.detail).toBe(body.ingestProblem);
});

test("a file of decisions that is wrong is said in the overview, and the rest of it is there", async () => {
  const { get, folder } = await startShop();
  await writeFile(join(folder, "context/decisions.yaml"), "pins: 5\n");
  const { body } = await get("/context");
  expect(body).toMatchObject({ counts: { tables: 2, contradictions: null }, ingestProblem: expect.any(String) });
  expect(body.ingestProblem).toContain("context/decisions.yaml");
});

test("what is wrong in the files of the context is said with its place, and the rest is there", async () => {
  const { get, folder } = await startShop();
  await writeFile(join(folder, "context/models/broken.yaml"), "name: broken\nmeasures: 5\n");
  const { body } = await get("/context");
  expect(body.problems.join()).toContain("context/models/broken.yaml:");
  expect((await get("/context/metrics")).body.models).toMatchObject([{ name: "orders" }]);
});
