import { expect, test } from "vitest";
import { searchWords } from "./search-words.ts";

test.each([
  ["order_id", ["orderid", "order", "id"]],
  ["OrderID", ["orderid", "order", "id"]],
  ["customerAddressLine2", ["customeraddressline2", "customer", "address", "line", "2"]],
  ["HTTPServerLog", ["httpserverlog", "http", "server", "log"]],
  ["t1", ["t1"]],
  ["Größe", ["grosse", "groesse"]],
  ["ΠΕΛΆΤΗΣ", ["πελατησ"]],
  ["πελάτης", ["πελατησ"]],
  ["κωδικόςΠελάτη", ["κωδικοσπελατη", "κωδικοσ", "πελατη"]],
  ["Évènement_créé", ["evenementcree", "evenement", "cree"]],
  ["заказы", ["заказы"]],
  ["How many orders?", ["how", "many", "orders"]],
])("the words of %s are %j", (text, words) => {
  expect([...new Set(searchWords(text))]).toEqual(expect.arrayContaining(words));
  expect(new Set(searchWords(text)).size).toBe(words.length);
});

test("a Japanese compound is found by its parts, whatever stands beside them", () => {
  const index = new Set(searchWords("受注明細テーブル"));
  for (const query of ["受注", "明細", "受注明細"]) {
    expect(searchWords(query).some((word) => index.has(word))).toBe(true);
  }
});

test("text that is no text gives words without lone surrogates", () => {
  expect(searchWords("a\ud800b 💥 \u0000")).toEqual(
    searchWords("a\ud800b 💥 \u0000").map((word) => word.toWellFormed()),
  );
  expect(searchWords("x".repeat(500)).every((word) => word.length <= 60)).toBe(true);
});
