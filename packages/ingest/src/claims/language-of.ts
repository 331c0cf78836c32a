/** Detects the languages of short texts, to decide whether two texts can be compared word by word. Pure. */

const scripts: readonly (readonly [string, RegExp])[] = [
  ["kana", /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ["han", /\p{Script=Han}/gu],
  ["hangul", /\p{Script=Hangul}/gu],
  ["cyrillic", /\p{Script=Cyrillic}/gu],
  ["greek", /\p{Script=Greek}/gu],
  ["arabic", /\p{Script=Arabic}/gu],
  ["hebrew", /\p{Script=Hebrew}/gu],
  ["devanagari", /\p{Script=Devanagari}/gu],
  ["thai", /\p{Script=Thai}/gu],
  ["latin", /\p{Script=Latin}/gu],
];

/** Frequent words of each language that hardly occur in the other languages of the list. */
const frequent: Readonly<Record<string, string>> = {
  en: "the is are of and to with for that which from by not has have this be over each than when",
  de: "der die das ist sind und nicht mit für von auf den dem ein eine wird werden außer innerhalb zum zur bei",
  fr: "le les des est sont et une pour dans pas qui du au sur avec par cette jusqu chaque",
  es: "el los las es son y una para con no por del al que cada cuando hasta según",
  pt: "os as é são e uma para com não por do da dos das ao que cada quando até há sem",
  it: "il gli è sono e una per con non del della dei delle che ogni quando fino",
  nl: "het een van is zijn en niet met voor op de dat wordt bij naar",
  no: "er og ikke med for på av som til det den en et før inntil",
  sv: "är och inte med för på av som till det den en ett innan",
};
const frequentWords = Object.entries(frequent).map(
  ([language, words]) => [language, new Set(words.split(" "))] as const,
);

/** Returns script and language, such as `latin en`, or only the script if the text is too short to detect the language. */
function languageOf(text: string): string {
  const counts = scripts.map(([name, letters]) => [name, text.match(letters)?.length ?? 0] as const);
  const [script = "latin", max = 0] = counts.toSorted(([, a], [, b]) => b - a)[0] ?? [];
  if (max === 0) return "none";
  if (script === "han" && (counts.find(([name]) => name === "kana")?.[1] ?? 0) > 0) return "kana";
  if (script !== "latin") return script;
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const votes = frequentWords
    .map(([language, known]) => [language, words.filter((word) => known.has(word)).length] as const)
    .toSorted(([, a], [, b]) => b - a);
  const [[best, first] = ["", 0], [, second] = ["", 0]] = votes;
  return first >= 2 && first > second ? `latin ${best}` : "latin";
}

/** Whether two texts may be in the same language: false only if they are clearly in different languages. */
export function mayBeSameLanguage(a: string, b: string): boolean {
  const [one, other] = [languageOf(a), languageOf(b)];
  if (one === "none" || other === "none" || one === other) return true;
  const [scriptA, languageA] = one.split(" ");
  const [scriptB, languageB] = other.split(" ");
  return scriptA === scriptB && (languageA === undefined || languageB === undefined);
}
