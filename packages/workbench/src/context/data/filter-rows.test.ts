import { expect, test } from "vitest";
import { filterJoins, filterModels, filterPages, filterTables } from "./filter-rows.ts";

const table = (id: string, ...names: string[]) => ({
  id,
  kind: "table" as const,
  rowsAreExact: true,
  columns: names.map((name) => ({ name, type: "TEXT" })),
});
const tables = [table("shop.main.orders", "id", "customer_id", "Straße"), table("shop.main.customers", "id", "email")];

test("a table is found by its name, or by the names of its columns, which are named then", () => {
  expect(filterTables(tables, "").length).toBe(2);
  expect(filterTables(tables, "ORDERS")).toEqual([{ table: tables[0], columns: [] }]);
  expect(filterTables(tables, "customer")).toEqual([
    { table: tables[0], columns: ["customer_id"] },
    { table: tables[1], columns: [] },
  ]);
  expect(filterTables(tables, "orders straße")).toEqual([{ table: tables[0], columns: ["Straße"] }]);
  expect(filterTables(tables, "orders email")).toEqual([]);
});

test("joins are found by both of their ends, and by their state", () => {
  const join = (id: string, status: "accepted" | "review") => ({
    id,
    status,
    origin: "found" as const,
    score: 1,
    relationship: "many-to-one" as const,
    from: { table: "shop.main.orders", columns: ["customer_id"] },
    to: { table: "shop.main.customers", columns: ["id"] },
  });
  const joins = [join("a1", "accepted"), join("b2", "review")];
  expect(filterJoins(joins, "orders customers", false)).toEqual(joins);
  expect(filterJoins(joins, "", true)).toEqual([joins[1]]);
  expect(filterJoins(joins, "b2", false)).toEqual([joins[1]]);
});

test("models are found by their measures and dimensions, pages by their titles and tags", () => {
  const model = {
    name: "orders",
    connection: "shop",
    segments: [],
    joins: [],
    measures: [{ name: "orders.revenue", formula: "sum of total" }],
    dimensions: [{ name: "orders.day" }],
  };
  expect(filterModels([model], "revenue day")).toEqual([model]);
  expect(filterModels([model], "margin")).toEqual([]);
  const page = {
    page: "orders",
    file: "context/wiki/orders.md",
    title: "Orders",
    tags: ["sales"],
    tables: [],
    metrics: [],
    refs: [],
    use: "search" as const,
    isDisputed: false,
    sources: [],
  };
  expect(filterPages([page], "sales orders")).toEqual([page]);
  expect(filterPages([page], "refunds")).toEqual([]);
});
