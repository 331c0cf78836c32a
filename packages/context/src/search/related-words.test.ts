import { expect, test } from "vitest";
import { SearchVocabulary } from "./related-words.ts";
import { isAbbreviation } from "./word-forms.ts";

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
  expect(related("invioce")).toEqual([["invoice", 0.7]]);
  expect(related("nothing")).toEqual([]);
});

test("a compound counts more if the rest of it is a word, too", () => {
  const vocabulary = new SearchVocabulary(["customeraddress", "address", "customerwxyz", "tblcustomerhist", "border"]);
  expect(Object.fromEntries(vocabulary.related("customers"))).toEqual({
    customeraddress: 0.85 * 0.8,
    customerwxyz: 0.5 * 0.8,
    tblcustomerhist: 0.5 * 0.8,
  });
  expect([...vocabulary.related("order").keys()]).toEqual(["border"]);
});

test("a name that is joined from abbreviations of several words of a query is found by these words", () => {
  const vocabulary = new SearchVocabulary(["custorderhdr", "customization", "custordhdr"]);
  const joined = (...words: string[]) => vocabulary.joined(words).map((each) => [...each.keys()].sort());
  expect(joined("customer", "order", "header")).toEqual(Array(3).fill(["custorderhdr", "custordhdr"]));
  expect(joined("customer", "header")).toEqual([[], []]);
  expect(joined("customer")).toEqual([[]]);
});

test("a misspelt word means what the right word means", () => {
  const vocabulary = new SearchVocabulary(["warehouse", "whse", "warehousestock", "stock", "whale"]);
  const found = vocabulary.related("waerhouse");
  expect([...found.keys()].slice(0, 3).sort()).toEqual(["warehouse", "warehousestock", "whse"]);
  expect(found.has("stock")).toBe(false);
});

test("a word that is known is not taken for a misspelling of another", () => {
  const vocabulary = new SearchVocabulary(["patient", "payment"]);
  expect([...vocabulary.related("patient").keys()]).toEqual(["patient"]);
  expect([...vocabulary.related("paymet").keys()]).toEqual(["payment"]);
});
