import { expect, test } from "vitest";
import { resolveCardSql } from "./resolve-sql.ts";

const cards: Readonly<Record<number, string>> = {
  1: "select * from trips;",
  2: "select count(*) from {{#1-trips}} t where {{ filter }}",
  3: "select * from {{#4}}",
  4: "select * from {{ #3 }}",
  5: "select 1 from {{#5}}",
  ...Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => [100 + i, `select * from {{#${101 + i}}} a, {{#${101 + i}}} b`]),
  ),
  130: "select 1",
};
const snippets: Readonly<Record<string, string>> = {
  done: "status = 'done'",
  both: "{{snippet: done}} and x = 1",
  loop: "{{snippet: loop}}",
};
const library = { cardSql: (id: number) => cards[id], snippet: (name: string) => snippets[name] };
const resolve = (sql: string, card?: number) => resolveCardSql(sql, card, library);

test.each([
  ["a card", "select a from {{#1}} as t", "select a from (select * from trips) as t", [1], []],
  [
    "a card within a card, with parameters left",
    "{{#2-name of it}}",
    "(select count(*) from (select * from trips) t where {{ filter }})",
    [1, 2],
    [],
  ],
  [
    "a snippet within a snippet",
    "select 1 where {{ snippet: both }}",
    "select 1 where status = 'done' and x = 1",
    [],
    [],
  ],
  [
    "an optional clause",
    "select 1 where true [[and a = {{a}}]] [[ and {{snippet: done}} and b = {{b}} ]]",
    "select 1 where true  ",
    [],
    ["and a = {{a}}", "and {{snippet: done}} and b = {{b}}"],
  ],
  ["brackets without a parameter, which stay", "select a[[1]] from t", "select a[[1]] from t", [], []],
  [
    "the same card twice, which is no circle",
    "select 1 from {{#1}} a, {{#1}} b",
    "select 1 from (select * from trips) a, (select * from trips) b",
    [1],
    [],
  ],
])("%s is written out", (_, sql, expected, used, optional) => {
  expect(resolve(sql)).toEqual({ sql: expected, cards: used, optional });
});

test.each([
  ["select * from {{#4}}", 3, "it uses itself: card 3 → card 4 → card 3"],
  ["select 1 from {{#5}}", 5, "it uses itself: card 5 → card 5"],
  ["{{snippet: loop}}", 9, "it uses itself: card 9 → snippet loop → snippet loop"],
  ["{{#77}}", 9, "it uses card 77, which is archived, has no SQL, or is not shown to this login"],
  ["{{snippet: gone}}", 9, "it uses the snippet gone, which there is not"],
  ["{{#100}}", 9, "its SQL becomes too long when the cards and snippets in it are written out"],
])("%s of card %d is refused", (sql, card, message) => {
  expect(() => resolve(sql, card)).toThrow(message);
});

test("any text is resolved in time that grows with its length", () => {
  for (const part of ["{{", "[[", "{{#1", "{{snippet:", "]]}}", "[[{{"])
    expect(() => resolve(part.repeat(20_000))).not.toThrow();
});
