import { expect, test } from "vitest";
import type { PlacedModel } from "./model-table.ts";
import { withVisibleEntries } from "./visible-entries.ts";

const placed = (model: Omit<PlacedModel["model"], "table">): PlacedModel => ({
  model: { ...model, table: `main.${model.name}` },
  kind: "table",
  connection: "w",
  tables: [{ connection: "w", schema: "main", table: model.name }],
});
const sales = placed({
  name: "sales",
  joins: [{ to: "shops", on: [["shop", "id"]], relationship: "many_to_one" }],
  dimensions: [{ name: "day" }, { name: "town", expr: "shops.town" }],
  segments: [{ name: "near", filter: "town = 'Here'" }],
  measures: [{ name: "amount", agg: "sum" }],
  metrics: [{ name: "per_shop", type: "ratio", numerator: "amount", denominator: "shops.count" }],
});
const models = [sales, placed({ name: "shops", measures: [{ name: "count", agg: "count" }] })];

const entriesOf = ({ model }: PlacedModel) =>
  [model.dimensions, model.segments, model.measures, model.metrics, model.joins].map((entries) =>
    (entries ?? []).map((entry) => ("name" in entry ? entry.name : "to" in entry && entry.to)),
  );

test("a caller that may not see a table is shown no metric, dimension, segment or join that needs it", () => {
  const shown = withVisibleEntries(sales, models, ({ table }) => table !== "shops");
  expect(entriesOf(shown)).toEqual([["day"], [], ["amount"], [], []]);
});

test("a caller that may see all tables is shown all entries", () => {
  expect(entriesOf(withVisibleEntries(sales, models, () => true))).toEqual(entriesOf(sales));
});
