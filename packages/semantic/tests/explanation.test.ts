import { expect, test } from "vitest";
import { compileMetricQuery } from "../src/compile/compile-metric-query.ts";
import { shopModelSet } from "./shop-models.ts";

test("a plan says in words what is computed, over which rows, and what it assumes", () => {
  const compiled = compileMetricQuery(
    shopModelSet(),
    {
      measures: ["orders.paid_share"],
      dimensions: [{ field: "orders.ordered", grain: "week" }],
      filters: ["products.category = 'office'"],
      having: ["orders.count > 1"],
      timezone: "Europe/Berlin",
      weekStart: "sunday",
    },
    "duckdb",
  );
  if (compiled.kind === "refused") throw new Error(compiled.refusal.message);
  expect(compiled.explanation).toEqual([
    "orders.paid_share is paid divided by count, or null if that is zero.",
    "The result has a row for each group of orders.ordered by week.",
    "Rows count only if products.category = 'office'.",
    "Groups are shown only if orders.count > 1.",
    "Times are the wall clock of Europe/Berlin.",
    "Weeks start on sunday.",
  ]);
  expect(compiled.assumptions).toEqual([
    "A filter on order_items keeps each row of orders that has at least one such row.",
    "orders.paid_share divides by count of the same group: every dimension of the query groups the denominator, too. It is not the share of a fixed group, such as a cohort.",
  ]);
});
