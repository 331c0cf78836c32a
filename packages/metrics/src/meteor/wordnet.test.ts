import { expect, test } from "vitest";
import { lineOf } from "./sorted-lines.ts";
import { createSynonyms, wordnetFolder } from "./wordnet.ts";

const synonyms = createSynonyms(wordnetFolder());

test.each([
  ["car", ["auto", "automobile", "machine", "motorcar", "railcar", "gondola"]],
  ["buy", ["purchase", "bargain", "bribe", "corrupt"]],
  ["boxes", ["box", "boxful", "loge"]], // the ending xes of nouns, and es of verbs
  ["larger", ["bigger", "big"]], // a word of its own, and the ending er of large
  ["ponies", ["pony", "jigger"]], // the ending ies of nouns
  ["carries", ["carry", "transport"]], // and of verbs
  ["die", ["decease", "perish", "croak"]], // one of whose synsets has more than nine names
  ["quickly", ["rapidly", "speedily", "cursorily"]],
  ["a", ["ampere", "adenine", "angstrom"]], // the first of many lines
  ["zymosis", ["fermentation", "zymolysis"]], // near the last line
])("%s has the synonyms %j", (word, expected) => {
  expect([...synonyms(word)]).toEqual(expect.arrayContaining(expected));
});

test("names of several words and marks of adjectives are left out", () => {
  for (const word of ["car", "handy", "used", "asleep"]) {
    expect([...synonyms(word)].filter((name) => /[_()]/.test(name))).toEqual([]);
  }
  expect([...synonyms("asleep")]).toContain("asleep"); // asleep(p) in the data
});

test("words that WordNet does not have, and irregular forms, have none", () => {
  for (const word of ["", "qzx", "αθήνα", "geese", "This", "zzzz", "0"])
    expect([...synonyms(word)]).not.toContain("goose");
  expect([...synonyms("qzx")]).toEqual([]);
});

test.each(["s", "es", "ed", "ing", "er", "est"])(
  "%s is an ending with no word before it, and has no synonyms of nothing",
  (word) => {
    const taken = [...synonyms(word)].filter((name) => /^$|[^\p{L}\p{N}'./-]/u.test(name) || name === "provided");
    expect(taken).toEqual([]); // words of the licence, which the files begin with
  },
);

test("a line is found wherever it stands, and none that only begins alike", () => {
  const file = Buffer.from("a 1\na.b 2\nab 3\nb 4\nc_d 5\n");
  const words = ["a", "a.b", "ab", "b", "c_d"];
  expect(words.map((word) => lineOf(word, file))).toEqual(["a 1", "a.b 2", "ab 3", "b 4", "c_d 5"]);
  expect(["", "0", "a.", "aa", "abc", "c", "z"].map((word) => lineOf(word, file))).toEqual(Array(7).fill(undefined));
  expect(lineOf("a", Buffer.from(""))).toBeUndefined();
});
