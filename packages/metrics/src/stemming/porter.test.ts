import { expect, test } from "vitest";
import { porterStem } from "./porter.ts";

test.each([
  // doctest of NLTK's stemmers
  ...["caresses caress", "flies fli", "dies die", "mules mule", "denied deni", "died die", "agreed agre", "owned own"],
  ...["humbled humbl", "sized size", "meeting meet", "stating state", "siezing siez", "itemization item"],
  ...["sensational sensat", "traditional tradit", "reference refer", "colonizer colon", "plotted plot"],
  // NLTK's unit tests
  ...["oed o", "On on", "I i", "Github github", "News news", "Howe howe", "Sky sky"],
  // the examples of Porter's paper, after all of its steps
  ...["ponies poni", "caress caress", "cats cat", "feed feed", "plastered plaster", "bled bled", "motoring motor"],
  ...["sing sing", "conflated conflat", "troubled troubl", "hopping hop", "tanned tan", "falling fall", "hissing hiss"],
  ...["fizzed fizz", "failing fail", "filing file", "happy happi", "relational relat", "conditional condit"],
  ...["rational ration", "valency valenc", "hesitancy hesit", "digitizer digit", "conformably conform"],
  ...["radically radic", "differently differ", "vilely vile", "analogously analog", "vietnamization vietnam"],
  ...["predication predic", "operator oper", "feudalism feudal", "decisiveness decis", "hopefulness hope"],
  ...["callousness callous", "formality formal", "sensitivity sensit", "sensibility sensibl", "triplicate triplic"],
  ...["formative form", "formalize formal", "electrical electr", "hopeful hope", "goodness good", "revival reviv"],
  ...["allowance allow", "inference infer", "airliner airlin", "gyroscopic gyroscop", "adjustable adjust"],
  ...["irritant irrit", "replacement replac", "adjustment adjust", "dependent depend", "adoption adopt"],
  ...["communism commun", "activate activ", "homologous homolog", "effective effect", "bowdlerize bowdler"],
  ...[
    "playing play",
    "snowing snow",
    "boxing box",
    "bys by",
    "organized organ",
    "probate probat",
    "rate rate",
    "cease ceas",
    "controlling control",
    "roll roll",
  ],
])("%s", (pair) => {
  const [word = "", stem = ""] = pair.split(" ");
  expect(porterStem(word)).toBe(stem);
});

// The right column is the result of Porter's algorithm without the extensions.
test.each([
  ["skies", "sky", "ski"],
  ["dying", "die", "dy"],
  ["lying", "lie", "ly"],
  ["tying", "tie", "ty"],
  ["news", "news", "new"],
  ["innings", "inning", "in"],
  ["outing", "outing", "out"],
  ["cannings", "canning", "can"],
  ["howe", "howe", "how"],
  ["proceed", "proceed", "proce"],
  ["exceed", "exceed", "exce"],
  ["succeed", "succeed", "succe"],
  ["ties", "tie", "ti"],
  ["tied", "tie", "ti"],
  ["spied", "spi", "spi"],
  ["enjoy", "enjoy", "enjoi"],
  ["says", "say", "sai"],
  ["fly", "fli", "fly"],
  ["try", "tri", "try"],
  ["is", "is", "i"],
  ["as", "as", "a"],
  ["use", "use", "us"],
  ["ice", "ice", "ic"],
  ["possibly", "possibl", "possibli"],
  ["geology", "geolog", "geologi"],
  ["theology", "theolog", "theologi"],
  ["hopefully", "hope", "hopefulli"],
  ["traditionally", "tradit", "tradition"],
])("%s stems to %s with the extensions of NLTK (without: %s)", (word, stem) => {
  expect(porterStem(word)).toBe(stem);
});

test("words of other scripts are put in lower case, and a long row of y takes no time", () => {
  expect(["", "ΑΘΉΝΑ", "東京", "42", "don't"].map(porterStem)).toEqual(["", "αθήνα", "東京", "42", "don't"]);
  expect(porterStem("y".repeat(100_000)).length).toBeGreaterThan(99_000);
});
