/**
 * Returns the Levenshtein distance of two texts: the minimum number of characters to insert, delete or replace that turns one text into the
 * other. Characters are code points. The time is proportional to the product of the lengths.
 */
export function editDistance(first: string, second: string): number {
  const [shorter = [], longer = []] = withoutCommonEnds([...first], [...second]).toSorted(
    (a, b) => a.length - b.length,
  );
  let row = Uint32Array.from({ length: shorter.length + 1 }, (_, index) => index);
  longer.forEach((character, at) => {
    const next = new Uint32Array(row.length);
    let left = at + 1;
    next[0] = left;
    for (let index = 1; index < row.length; index += 1) {
      const replaced = (row[index - 1] ?? 0) + (shorter[index - 1] === character ? 0 : 1);
      left = Math.min(replaced, left + 1, (row[index] ?? 0) + 1);
      next[index] = left;
    }
    row = next;
  });
  return row[shorter.length] ?? 0;
}

/** Removes the common beginning and the common end, which do not change the distance. */
function withoutCommonEnds(first: string[], second: string[]): string[][] {
  const max = Math.min(first.length, second.length);
  let begin = 0;
  while (begin < max && first[begin] === second[begin]) begin += 1;
  let end = 0;
  while (end < max - begin && first.at(-1 - end) === second.at(-1 - end)) end += 1;
  return [first, second].map((characters) => characters.slice(begin, characters.length - end));
}

/** Counts the code points of a string. */
export function characterCount(text: string): number {
  return [...text].length;
}
