/** Words of English questions that carry no information about a table. They count only in a query without other words. */
const functionWords = new Set(
  `a about all an and any are as at be by can could did do does each every find for from get give had has have how i in is it
  its list many me much of on or our per please show tell than that the their them there these they this to us was we were what
  when where which who whose why will with would you your`.split(/\s+/),
);

/** A word to search for. */
export interface QueryWord {
  readonly word: string;
  /** The positions of the query's words that this word stands for: several if it joins several words. */
  readonly places: readonly number[];
}

/** Returns the words of a query to search for, each once, and each pair of neighbors joined into one name, such as `orderline`. */
export function wordsOfQuery(words: readonly string[]): readonly QueryWord[] {
  const meant = words.filter((word) => !functionWords.has(word));
  const kept = meant.length > 0 ? meant : words;
  const wholes = new Map<string, number>();
  const single = [
    ...new Set(
      kept.filter((word, index) => {
        const parts = countParts(kept, index);
        if (parts > 0) wholes.set(word, parts);
        return parts === 0;
      }),
    ),
  ];
  const placesOf = (parts: readonly string[]) =>
    [...new Set(parts.map((part) => single.indexOf(part)))].filter((place) => place >= 0);
  const longer = kept.flatMap((word, index): QueryWord[] => {
    const parts = wholes.get(word);
    if (parts !== undefined) return [{ word, places: placesOf(kept.slice(index + 1, index + 1 + parts)) }];
    const next = kept[index + 1];
    return next === undefined || wholes.has(next) ? [] : [{ word: word + next, places: placesOf([word, next]) }];
  });
  const all = [...single.map((word, place) => ({ word, places: [place] })), ...longer];
  return [...new Map(all.toReversed().map((each) => [each.word, each])).values()].toReversed();
}

/** Returns how many of the following words together spell this word. In the list, a compound name is followed by its parts. */
function countParts(words: readonly string[], index: number): number {
  let joined = "";
  for (let next = index + 1; next < words.length && joined.length < (words[index]?.length ?? 0); next++) {
    joined += words[next];
    if (joined === words[index] && next > index + 1) return next - index;
  }
  return 0;
}
