const segmenter = new Intl.Segmenter("und", { granularity: "sentence" }); // Unicode's rules for all languages

/** Abbreviations before a name: `Dr. Smith`. */
const titles =
  "Mr|Mrs|Ms|Mx|Messrs|Dr|Prof|Rev|Hon|Gen|Col|Maj|Capt|Cmdr|Lt|Sgt|Cpl|Adm|Gov|Sen|Rep|Pres|Mt|Ft|[Vv]s|[Cc]f|[Ee]\\.g|[Ii]\\.e";
/** Abbreviations before a number: `No. 5`. Without a number, they are words that can end a sentence. */
const beforeNumbers = "no|nos|fig|figs|eq|eqs|vol|vols|p|pp|ch|sec|art|nr|approx|ca";
/** Abbreviations in names, which can also be the last word of a sentence: `St. Louis`, `U.S. Army`, `J. Smith`. */
const inNames = "St|Ave|Blvd|Rd|Inc|Ltd|Co|Corp|Bros|Jr|Sr|Ph\\.D|(?:\\p{Lu}\\.)*\\p{Lu}|(?<=\\s)\\p{Ll}";
/** Words that begin a sentence more often than they are part of a name. */
const openers = [
  "The",
  "A",
  "An",
  "It",
  "He",
  "She",
  "They",
  "We",
  "You",
  "I",
  "This",
  "That",
  "These",
  "Those",
  "There",
  "Here",
  "In",
  "On",
  "At",
  "As",
  "If",
  "When",
  "While",
  "But",
  "And",
  "Or",
  "So",
  "Then",
  "However",
  "Also",
  "For",
  "To",
  "Its",
  "His",
  "Her",
  "Their",
  "Our",
  "Your",
  "My",
  "Please",
  "Yes",
  "No",
  "Not",
  "After",
  "Before",
  "What",
  "Why",
  "How",
  "Who",
  "Where",
  "Which",
  "Is",
  "Are",
  "Was",
  "Were",
  "Do",
  "Does",
  "Did",
  "Can",
  "Now",
].join("|");

const endsIn = (words: string, flags = "") =>
  new RegExp(String.raw`(?<![\p{L}\p{M}\p{N}.])(?:${words})\.[^\S\n\r\u2028\u2029]*$`, `u${flags}`);
const endsInTitle = endsIn(titles);
const endsBeforeNumber = endsIn(beforeNumbers, "i");
const endsInName = endsIn(inNames);
const beginsWithOpener = new RegExp(String.raw`^\P{L}{0,3}(?:${openers})(?![\p{L}\p{M}\p{N}.])`, "u");

/**
 * Divides a text into its sentences, by Unicode's rules (UAX 29) and a list of English abbreviations: a point after `Dr` does not end a
 * sentence, and a point after `St` ends one only before a word such as `The`. A line break also ends a sentence.
 */
export function divideSentences(text: string): string[] {
  const starts: number[] = [];
  let before = "";
  for (const { segment, index } of segmenter.segment(text)) {
    if (index === 0 || !isContinued(before, segment)) starts.push(index);
    before = segment;
  }
  return starts.map((start, at) => text.slice(start, starts[at + 1]));
}

/** The number of characters at the end of a sentence in which abbreviations are searched. A whole sentence can be long. */
const maxEndLength = 20;

function isContinued(sentence: string, next: string): boolean {
  const end = sentence.slice(-maxEndLength);
  if (endsInTitle.test(end)) return true;
  if (/^\p{N}/u.test(next) && endsBeforeNumber.test(end)) return true;
  return /^\P{L}{0,3}\p{Lu}/u.test(next) && !beginsWithOpener.test(next) && endsInName.test(end);
}

/** Lists the sentences of a text, each on one line. Sentences without a letter or digit do not count. */
export function sentencesOf(text: string): string[] {
  return divideSentences(text)
    .map((sentence) => sentence.replace(/\s+/g, " ").trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}
