import { expect, test } from "vitest";
import { isAbbreviation, SearchVocabulary } from "./related-words.ts";

test.each([
  ["cust", "customer"],
  ["qty", "quantity"],
  ["amt", "amount"],
  ["nbr", "number"],
  ["acct", "account"],
  ["dept", "department"],
  ["cntry", "country"],
  ["addr", "address"],
  ["dt", "date"],
  ["бух", "бухгалтерия"],
])("%s is an abbreviation of %s", (short, long) => expect(isAbbreviation(short, long)).toBe(true));

test.each([
  ["st", "street"],
  ["order", "orders"],
  ["tail", "total"],
  ["id", "identity"],
  ["c1", "customer"],
])("%s is no abbreviation of %s", (short, long) => expect(isAbbreviation(short, long)).toBe(false));

test("a word of a query means inflections, abbreviations, compounds and misspellings, in this order", () => {
  const vocabulary = new SearchVocabulary([
    "customers",
    "cust",
    "customer",
    "kundenadresse",
    "adresse",
    "πελατεσ",
    "invoice",
  ]);
  const related = (word: string) => [...vocabulary.related(word)];
  expect(related("customer")).toEqual([
    ["customer", 1],
    ["customers", 0.8],
    ["cust", 0.6],
  ]);
  expect(related("adresse")).toEqual([
    ["adresse", 1],
    ["kundenadresse", 0.5],
  ]);
  expect(related("πελατησ")).toEqual([["πελατεσ", 0.8]]);
  expect(related("invioce")).toEqual([["invoice", 0.4]]);
  expect(related("nothing")).toEqual([]);
});
