/** The words of names and texts, for the index and for queries. Pure. */
import { normalizeText } from "@bridle/protocol";

/** The maximum length of a word. Longer runs of letters are cut. */
const maxWordLength = 60;

const segmenter = new Intl.Segmenter("und", { granularity: "word" });

/**
 * Returns the words of a text in any script, without accents and case. A name such as `order_id`, `OrderID` or `ΠελάτηςΚωδ` gives its parts
 * and the joined form `orderid`, however it is written. Texts in Chinese, Japanese and Korean give their runs of characters and each pair
 * of neighboring characters, because the result of a segmentation depends on the neighboring words.
 */
export function searchWords(text: string): readonly string[] {
  const plain = isAscii(text) ? text : normalizeText(text, "NFKC");
  return rawWords(plain).flatMap((word) => {
    const parts = splitCompoundName(word);
    const all = parts.length > 1 ? [parts.join(""), ...parts] : [word];
    return [...all, ...pairsOf(word)].flatMap(foldWord).filter((each) => each !== "");
  });
}

function isAscii(text: string): boolean {
  return !/[^\x20-\x7e\s]/.test(text);
}

/** Scripts without spaces that are not indexed by pairs of characters. Their words are found with a dictionary, which takes time. */
const withoutSpaces = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

function rawWords(text: string): readonly string[] {
  if (isAscii(text)) return text.match(/[A-Za-z0-9]+(?:[_$#][A-Za-z0-9]+)*/g) ?? [];
  if (!withoutSpaces.test(text)) return text.match(/[\p{L}\p{M}\p{N}]+(?:[_$#][\p{L}\p{M}\p{N}]+)*/gu) ?? [];
  return Array.from(segmenter.segment(text))
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment);
}

const border = new RegExp(
  [
    String.raw`[^\p{L}\p{M}\p{N}]+`, // order_id
    String.raw`(?<=[\p{Ll}\p{N}])(?=\p{Lu})`, // orderId
    String.raw`(?<=\p{Lu})(?=\p{Lu}\p{Ll})`, // HTTPServer
    String.raw`(?<=\p{L}\p{L}\p{M}?)(?=\p{N})`, // address2, but not t1
  ].join("|"),
  "u",
);

/** Returns the parts of a compound name; the word itself if it is not compound. */
export function splitCompoundName(word: string): readonly string[] {
  return word.split(border).filter((part) => part !== "");
}

const ideographs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu;

/** Returns a short run of ideographs as a whole, and each pair of neighbors in it. */
function pairsOf(word: string): readonly string[] {
  if (isAscii(word)) return [];
  return [...word.matchAll(ideographs)].flatMap(([run]) => {
    const characters = [...run];
    const pairs = characters.slice(1).map((character, index) => `${characters[index]}${character}`);
    return characters.length === word.length || characters.length > 4 ? pairs : [run, ...pairs];
  });
}

/** The plain form of letters that Unicode does not decompose. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ı: "i",
  ς: "σ",
};
/** Where only ASCII is possible, umlauts are written with an e. */
const withE: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", ø: "oe", å: "aa" };

/** Returns the word without case and accents, and its ASCII spelling if that differs. */
function foldWord(word: string): readonly string[] {
  const lower = word.toLowerCase().slice(0, maxWordLength);
  if (isAscii(lower)) return [lower];
  const folded = stripMarks(lower);
  const ascii = stripMarks(normalizeText(lower, "NFC").replaceAll(/[äöüøå]/g, (letter) => withE[letter] ?? letter));
  return ascii === folded ? [folded] : [folded, ascii];
}

/** Marks to remove. In all other scripts, marks belong to the letter. */
const marks = /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu;

function stripMarks(word: string): string {
  const bare = normalizeText(normalizeText(word, "NFD").replaceAll(marks, ""), "NFC");
  return bare.replaceAll(/[ßæœøłđıς]/g, (letter) => plainLetters[letter] ?? letter).toWellFormed();
}
