import { expect, test } from "vitest";
import { compareWords, splitName } from "./names.ts";

test.each<[string, readonly string[]]>([
  ["ShipToAddressID", ["ship", "to", "address", "id"]],
  ["l_orderkey", ["l", "orderkey"]],
  ["HTTPStatus2", ["http", "status", "2"]],
  ["Κωδικός_Πελάτη", ["κωδικός", "πελάτη"]],
  ["顧客_番号", ["顧客", "番号"]],
  ["größe-in cm", ["größe", "in", "cm"]],
])("the words of %s are %j", (name, words) => {
  expect(splitName(name)).toEqual(words);
});

test.each<[string, string, number, number]>([
  ["order", "order", 1, 1],
  ["order", "orders", 0.9, 1],
  ["cust", "customer", 0.7, 0.9],
  ["dept", "department", 0.6, 0.7],
  ["number", "ordernumber", 0.6, 0.8],
  ["color", "colour", 0.6, 0.9],
  ["order", "border", 0, 0.8],
  ["a", "account", 0, 0],
  ["price", "street", 0, 0],
])("%s and %s are similar by %d to %d", (first, second, min, max) => {
  const similarity = compareWords(first, second);
  expect(similarity).toBeGreaterThanOrEqual(min);
  expect(similarity).toBeLessThanOrEqual(max);
  expect(compareWords(second, first)).toBe(similarity);
});
