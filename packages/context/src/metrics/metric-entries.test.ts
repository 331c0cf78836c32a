import { expect, test } from "vitest";
import { MemoryFacts, makeTable } from "../facts/memory-facts-for-tests.ts";
import { Knowledge } from "../knowledge/knowledge.ts";
import { ContextSearch } from "../search/context-search.ts";
import type { PlacedModel } from "./model-table.ts";

const facts = new MemoryFacts([makeTable("w.main.orders"), makeTable("w.main.lines"), makeTable("w.main.payback")]);
const placed = (table: string, model: Omit<PlacedModel["model"], "table">): PlacedModel => ({
  model: { ...model, table: `main.${table}` },
  kind: "table",
  connection: "w",
  tables: [{ connection: "w", schema: "main", table }],
});
const models = [
  placed("orders", {
    name: "orders",
    description: "What people bought.",
    dimensions: [{ name: "placed", label: "Order date", synonyms: ["Bestelldatum"] }],
    segments: [{ name: "paid", filter: "status = 'paid'" }],
    measures: [{ name: "count", agg: "count", synonyms: ["number of purchases"] }],
  }),
  placed("lines", {
    name: "order_lines",
    joins: [{ to: "orders", on: [["order_id", "id"]], relationship: "many_to_one" }],
    dimensions: [{ name: "day", expr: "orders.placed_at" }],
    measures: [{ name: "sales", agg: "sum", expr: "amount", label: "Turnover", filters: [{ segment: "orders.paid" }] }],
    metrics: [
      { name: "margin", type: "derived", expr: "sales - refunds.amount", description: "What is left of sales." },
    ],
  }),
  placed("payback", { name: "refunds", measures: [{ name: "amount", agg: "sum" }] }),
];

function open(read = () => ({ models: models as readonly PlacedModel[], version: "1" })) {
  return new ContextSearch({ knowledge: new Knowledge({ facts }), models: { read } });
}

const kinds = ["metric", "dimension", "model"];
const first = async (query: string) => (await open().find(query, { kinds }))[0];

test.each([
  ["turnover", { kind: "metric", id: "order_lines.sales" }],
  ["number of purchases", { kind: "metric", id: "orders.count" }],
  ["what is left", { kind: "metric", id: "order_lines.margin" }],
  ["bestelldatum", { kind: "dimension", id: "orders.placed" }],
  ["order date", { kind: "dimension", id: "orders.placed" }],
  ["bought", { kind: "model", id: "orders" }],
  ["turnovr", { kind: "metric", id: "order_lines.sales" }],
])("%j finds %j by its name, label, synonym or description", async (query, expected) => {
  expect(await first(query)).toMatchObject(expected);
});

test.each([
  ["orders", ["refunds.amount"]],
  ["payback", ["order_lines.sales", "orders.count"]],
  ["lines", ["orders.count", "refunds.amount"]],
])("a caller that may not see %s finds only the metrics %j, which need no row of it", async (hidden, expected) => {
  const isVisible = ({ table }: { table: string }) => table !== hidden;
  const found = await open().find("sales turnover margin count amount refunds orders", {
    kinds: ["metric"],
    isVisible,
  });
  expect(found.map(({ id }) => id).sort()).toEqual(expected);
});

test("a dimension is hidden with the table that its expression reads", async () => {
  const isVisible = ({ table }: { table: string }) => table !== "orders";
  expect(await open().find("day", { kinds, isVisible })).toEqual([]);
});

test("the search follows the files of the models", async () => {
  let current: { models: readonly PlacedModel[]; version: string } = { models: [], version: "1" };
  const search = open(() => current);
  expect(await search.find("turnover", { kinds })).toEqual([]);
  current = { models, version: "2" };
  await search.update();
  expect(await search.find("turnover", { kinds })).toMatchObject([{ id: "order_lines.sales" }]);
});
