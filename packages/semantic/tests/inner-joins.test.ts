import { expect, test } from "vitest";
import { compileMetricQuery } from "../src/compile/compile-metric-query.ts";
import { shopModelSet } from "./shop-models.ts";

const models = shopModelSet();

function joinsOf(...filters: string[]): readonly string[] {
  const compiled = compileMetricQuery(models, { measures: ["orders.count"], filters }, "duckdb");
  if (compiled.kind === "refused") throw new Error(compiled.refusal.message);
  return compiled.sql.match(/(LEFT|INNER) JOIN "\w+"/g) ?? [];
}

test("a filter on a joined column makes it, and the joins before it, inner joins", () => {
  expect(joinsOf("regions.name = 'North'")).toEqual(['INNER JOIN "customers"', 'INNER JOIN "regions"']);
  expect(joinsOf("customers.vip")).toEqual(['INNER JOIN "customers"']);
  expect(joinsOf("regions.name NOT IN ('North')", "orders.status = 'paid'")).toEqual([
    'INNER JOIN "customers"',
    'INNER JOIN "regions"',
  ]);
  expect(joinsOf("regions.name IS NOT NULL")).toEqual(['INNER JOIN "customers"', 'INNER JOIN "regions"']);
});

test("a filter that holds without a row keeps left joins", () => {
  const left = ['LEFT JOIN "customers"', 'LEFT JOIN "regions"'];
  expect(joinsOf("regions.name IS NULL")).toEqual(left);
  expect(joinsOf("regions.name = 'North' OR orders.status = 'paid'")).toEqual(left);
  expect(joinsOf("coalesce(regions.name, 'a') = 'a'")).toEqual(left);
  expect(joinsOf("regions.name IS DISTINCT FROM 'North'")).toEqual(left);
  expect(joinsOf("regions.name = 'North' OR customers.vip")).toEqual(left);
});
