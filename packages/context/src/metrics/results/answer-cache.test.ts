import { expect, test } from "vitest";
import { AnswerCache, type AnswerParts } from "./answer-cache.ts";
import { StoredResults } from "./stored-results.ts";

const answer: AnswerParts = {
  rows: [["Athens", "12345678901234567890.10", null, [1, true]]],
  totals: ["12345678901234567890.10"],
  tables: ["main.orders"],
  filtered: [],
  durationMs: 2,
};

test("an answer is found as it was stored", () => {
  const results = new StoredResults();
  const cache = new AnswerCache(results);
  cache.set("key", "state", answer);
  expect(cache.get("key", "state")).toEqual(answer);
  results.set("key", "state", { rows: "other" });
  expect(cache.get("key", "state")).toBeUndefined();
});

test("an answer with a value that looks sensitive is not stored", () => {
  const cache = new AnswerCache(new StoredResults());
  cache.set("rows", "state", { ...answer, rows: [["Athens", ["ann@example.com"]]] });
  cache.set("totals", "state", { ...answer, totals: ["DE89 3704 0044 0532 0130 00"] });
  expect([cache.storedAt("rows"), cache.storedAt("totals")]).toEqual([undefined, undefined]);
});
