import { afterAll, expect, test } from "vitest";
import { MemoryFacts, makeJoin } from "../src/facts/memory-facts-for-tests.ts";
import type { NotesOfFiles } from "../src/files/table-notes.ts";
import { declaredSources } from "../src/knowledge/declared-structure.ts";
import { Knowledge } from "../src/knowledge/knowledge.ts";
import { ContextSearch } from "../src/search/context-search.ts";
import { createStructureTools } from "../src/tools/context-tools.ts";
import { ShopForTests, shopJoins, shopTables, ToolsForTests } from "../src/tools/shop-for-tests.ts";

const shop = new ShopForTests();
afterAll(() => shop.close());

const notes: NotesOfFiles = {
  tables: new Map([
    ["shop.main.orders", { description: "Written by a person.", columns: { total: { description: "With tax." } } }],
    ["shop.main.salaries", { hidden: true }],
  ]),
  joins: [],
  problems: [],
};

function tools(): ToolsForTests {
  const declared = makeJoin("shop.main.orders.id", "shop.main.customers.id", { origin: "declared" });
  const facts = new MemoryFacts(shopTables, [...shopJoins, declared]);
  const sources = declaredSources({ facts, files: { read: () => notes, version: () => "1" } });
  const knowledge = new Knowledge(sources);
  const options = { connections: [{ name: "shop" }], readNotes: () => notes, openWarehouse: () => shop.open() };
  return new ToolsForTests(createStructureTools({ knowledge, search: new ContextSearch({ knowledge }), ...options }));
}

test("an agent without the context has the tools describe and run_sql alone", () => {
  expect(tools().tools.map(({ name }) => name)).toEqual(["describe", "run_sql"]);
});

test("an agent without the context reads names, types, comments, keys and links of the database, and nothing else", async () => {
  const { markdown } = await tools().call("describe", { name: "orders" });
  expect(markdown).toContain("One row for each order. [comment]");
  expect(markdown).toContain("key: id");
  expect(markdown).toContain("status: text");
  expect(markdown).toContain("shop.main.orders.id");
  for (const measured of ["paid", "4 rows", "Written by a person", "With tax", "customer_id ->", "75 %"]) {
    expect(markdown).not.toContain(measured);
  }
});

test("what is hidden or sensitive stays so without the context", async () => {
  const { markdown } = await tools().call("describe", {});
  expect(markdown).not.toContain("salaries");
  const refused = await tools().call("run_sql", { statement: "SELECT * FROM main.salaries" });
  expect(refused.isError).toBe(true);
  const masked = await tools().call("run_sql", { statement: "SELECT email FROM main.customers" });
  expect(masked.markdown).not.toContain("ann@example.com");
});
