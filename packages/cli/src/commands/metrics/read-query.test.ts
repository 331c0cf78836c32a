import { UsageError } from "@bridle/app";
import { expect, test } from "vitest";
import { readDimension } from "./read-dimension.ts";
import { readQuery } from "./read-query.ts";

test.each([
  ["customers.country", "customers.country"],
  ["customers.country as land", { field: "customers.country", as: "land" }],
  ["orders.placed:month", { field: "orders.placed", grain: "month" }],
  ["orders.placed:month as period", { field: "orders.placed", grain: "month", as: "period" }],
  ["day_of_week of orders.placed", { field: "orders.placed", part: "day_of_week" }],
  ["month of orders.placed as m", { field: "orders.placed", part: "month", as: "m" }],
  [
    "orders.placed + refunds.paid:month as month",
    { time: { orders: "orders.placed", refunds: "refunds.paid" }, grain: "month", as: "month" },
  ],
  ["orders.shipped=orders.shipped_on:day", { time: { "orders.shipped": "orders.shipped_on" }, grain: "day" }],
  [
    "year of orders.placed+refunds.paid",
    { time: { orders: "orders.placed", refunds: "refunds.paid" }, grain: "day", part: "year" },
  ],
])("the dimension %j is read", (word, dimension) => {
  expect(readDimension(word)).toEqual(dimension);
});

test.each([
  ["orders.placed:decade", "decade is not a grain."],
  ["decade of orders.placed", "decade is not a part of a time."],
  ["month of orders.placed:year", "has a grain and something else"],
  ["orders.placed+refunds.paid", "The axis orders.placed+refunds.paid has no grain."],
  ["orders.placed+orders.paid:day", "two dates of orders"],
])("the dimension %j is refused with a remedy", (word, reason) => {
  expect(() => readDimension(word)).toThrow(UsageError);
  expect(() => readDimension(word)).toThrow(reason);
});

test("the words of a command become a query with names, the best of each group, ties and a spine", () => {
  const words = { by: ["customers.country,orders.placed:month"], limit: 2, limitPer: ["customers.country"] };
  expect(readQuery(["orders.revenue as income, orders.count"], { ...words, ties: "cut" })).toEqual({
    measures: [{ measure: "orders.revenue", as: "income" }, "orders.count"],
    dimensions: ["customers.country", { field: "orders.placed", grain: "month" }],
    limit: 2,
    limitPer: ["customers.country"],
    ties: "cut",
  });
  expect(readQuery(["orders.count"], { spine: "2025-01-01..2025-12-31" })).toMatchObject({
    spine: { from: "2025-01-01", to: "2025-12-31" },
  });
  expect(readQuery(["orders.count"], { spine: "calendar.day" })).toMatchObject({ spine: { field: "calendar.day" } });
});
