/** Words of questions in English that say nothing about a table. They count only in a query that has no others. */
const functionWords = new Set(
  `a about all an and any are as at be by can could did do does each every find for from get give had has have how i in is it
  its list many me much of on or our per please show tell than that the their them there these they this to us was we were what
  when where which who whose why will with would you your`.split(/\s+/),
);

/** The words of a query that are searched for, each once: its words, and pairs of neighbours as one name, as in `orderline`. */
export function wordsOfQuery(words: readonly string[]): readonly string[] {
  const meant = words.filter((word) => !functionWords.has(word));
  const kept = meant.length > 0 ? meant : words;
  const pairs = kept.slice(1).map((word, index) => `${kept[index]}${word}`);
  return [...new Set([...kept, ...pairs])];
}
