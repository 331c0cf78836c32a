/**
 * Porter's stemmer ("An algorithm for suffix stripping", Program 14.3, 1980) with NLTK's extensions. The extensions are NLTK's default, and
 * so part of the definitions of METEOR and ROUGE. Sources: the code and the tests of NLTK 3.10.
 */
import { containsVowel, endsInConsonant, endsInDouble, endsShort, stemMeasure } from "./letters.ts";

/** A suffix and its replacement. Only the rule of the first suffix that a word ends in is tried, even if that rule does not apply. */
type Rule = readonly [suffix: string, replacement: string];

/** Words with irregular stems. */
const irregular = new Map([
  ...pairs("skies>sky dying>die lying>lie tying>tie innings>inning outings>outing cannings>canning"),
  ...pairs("sky>sky news>news inning>inning outing>outing canning>canning howe>howe"),
  ...pairs("proceed>proceed exceed>exceed succeed>succeed"),
]);
const plurals = pairs("sses>ss ies>i ss>ss s>");
const doubleSuffixes = [
  ...pairs("ational>ate tional>tion enci>ence anci>ance izer>ize bli>ble alli>al entli>ent eli>e ousli>ous"),
  ...pairs("ization>ize ation>ate ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al iviti>ive"),
  ...pairs("biliti>ble fulli>ful"),
];
const simpleSuffixes = pairs("icate>ic ative> alize>al iciti>ic ical>ic ful> ness>");
const lastSuffixes = [
  ...pairs("al> ance> ence> er> ic> able> ible> ant> ement> ment> ent> ion>"),
  ...pairs("ou> ism> ate> iti> ous> ive> ize>"),
];

function pairs(table: string): Rule[] {
  return table.split(" ").map((pair) => [pair.slice(0, pair.indexOf(">")), pair.slice(pair.indexOf(">") + 1)]);
}

/** Returns the stem of an English word, in lower case. Words of one or two letters and most words of other languages are unchanged. */
export function porterStem(word: string): string {
  const lower = word.toLowerCase();
  const known = irregular.get(lower);
  if (known !== undefined || word.length <= 2) return known ?? lower;
  return [
    removePlural,
    removePast,
    replaceFinalY,
    reduceDoubleSuffix,
    removeSuffix,
    removeLastSuffix,
    dropFinalLetters,
  ].reduce((stem, step) => step(stem), lower);
}

function removePlural(word: string): string {
  if (word.length === 4 && word.endsWith("ies")) return word.slice(0, -1); // dies -> die, but flies -> fli
  return applyRules(word, plurals, () => true);
}

function removePast(word: string): string {
  if (word.endsWith("ied")) return word.slice(0, word.length === 4 ? -1 : -2); // died -> die, but spied -> spi
  if (word.endsWith("eed")) return stemMeasure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const suffix = ["ed", "ing"].find((each) => word.endsWith(each) && containsVowel(word.slice(0, -each.length)));
  return suffix === undefined ? word : restoreEnding(word.slice(0, -suffix.length));
}

/** Restores letters that were lost with -ed and -ing: `siz` -> `size`, `hopp` -> `hop`, `fil` -> `file`. */
function restoreEnding(stem: string): string {
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (endsInDouble(stem)) return /[lsz]$/.test(stem) ? stem : stem.slice(0, -1);
  return stemMeasure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem;
}

/** Replaces a final `y`: `happy` -> `happi` and `fly` -> `fli`, but `enjoy` and `by` are unchanged. */
function replaceFinalY(word: string): string {
  const stem = word.slice(0, -1);
  return word.endsWith("y") && stem.length > 1 && endsInConsonant(stem) ? `${stem}i` : word;
}

function reduceDoubleSuffix(word: string): string {
  if (word.endsWith("alli") && stemMeasure(word.slice(0, -4)) > 0) return reduceDoubleSuffix(word.slice(0, -2));
  if (word.endsWith("logi")) return stemMeasure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word; // also shortens geologi
  return applyRules(word, doubleSuffixes, (stem) => stemMeasure(stem) > 0);
}

function removeSuffix(word: string): string {
  return applyRules(word, simpleSuffixes, (stem) => stemMeasure(stem) > 0);
}

function removeLastSuffix(word: string): string {
  return applyRules(
    word,
    lastSuffixes,
    (stem, suffix) => stemMeasure(stem) > 1 && (suffix !== "ion" || /[st]$/.test(stem)),
  );
}

/** Removes a final `e`, and one `l` of two, if the rest of the word is long enough. */
function dropFinalLetters(word: string): string {
  const stem = word.endsWith("e") ? word.slice(0, -1) : word;
  const kept = stem !== word && (stemMeasure(stem) > 1 || (stemMeasure(stem) === 1 && !endsShort(stem))) ? stem : word;
  return kept.endsWith("ll") && stemMeasure(kept.slice(0, -1)) > 1 ? kept.slice(0, -1) : kept;
}

function applyRules(word: string, rules: readonly Rule[], applies: (stem: string, suffix: string) => boolean): string {
  const rule = rules.find(([suffix]) => word.endsWith(suffix));
  if (rule === undefined) return word;
  const stem = word.slice(0, word.length - rule[0].length);
  return applies(stem, rule[0]) ? stem + rule[1] : word;
}
