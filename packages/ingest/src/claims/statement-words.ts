/** Finds the meaningful words of a statement, normalised so that inflections are equal. Pure. */

const segmenter = new Intl.Segmenter("und", { granularity: "word" });

/** Words without a meaning of their own. The list contains no words that change the meaning, such as before, without, only and not. */
const emptyWords = new Set(
  `a an the is are was were be been being it its this that these those of in on at to for from by with as and or has have had do
  does did will would shall can may there here their his her our your which who whose what when while if then than so such also
  too very just any each per into
  der die das ein eine einer eines einem einen ist sind war waren wird werden und oder von vom im in am an zu zum zur für mit auf
  bei aus dem den des es er sie als wenn dass sich
  le la les un une des du de et ou est sont été au aux dans par pour sur avec ce cette ces qui que se son sa ses il elle
  el los las una unos unas del y o es son fue al en por para con su sus se que lo este esta
  um uma uns umas os as do da dos das no na nos nas e é são foi em por pelo pela com ao aos se seu sua que
  il lo gli i uno dello della dei degli delle ed è sono nel nella nei per con su si che di
  het een van op te voor met bij uit aan zijn wordt worden en of er die dat als
  och att som av på för med den det en ett är til og av er et i på for med som
  в на и или с со к по из от для это как что у о при за до`.split(/\s+/),
);

/** Returns the content words of a text, in order, folded and stemmed. */
export function statementWords(text: string): readonly string[] {
  const plain = text.normalize("NFKC").toLowerCase();
  return Array.from(segmenter.segment(plain)).flatMap(({ segment, isWordLike }) => {
    if (!isWordLike) return [];
    const word = foldAccents(segment).replace(/^[.']+|[.']+$|['’]s$/g, "");
    return word === "" || emptyWords.has(segment) || emptyWords.has(word) ? [] : [withoutEnding(word)];
  });
}

function foldAccents(word: string): string {
  return /[^\p{ASCII}]/u.test(word)
    ? word
        .normalize("NFD")
        .replaceAll(/[\u0300-\u036f]/g, "")
        .normalize("NFC")
    : word;
}

/** Strips English endings, and a final s, e or n for other languages. Does not change numbers and names with an underscore. */
function withoutEnding(word: string): string {
  if (!/^[a-zß'’-]{4,}$/.test(word)) return word;
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|us|is)$/.test(word)) return word;
  const stem = word.replace(/(?:ing|ed|es|s)$/, "");
  if (stem.length < 3 || !/[aeiouy]/.test(stem)) return word;
  return stem.replace(/([bdfgmnprt])\1$/, "$1").replace(/e$/, "");
}

/** Counts the words of one list that occur in another list in the same order. The time grows with the product of the lengths. */
export function wordsInOrder(words: readonly string[], others: readonly string[]): number {
  let row = new Uint16Array(others.length + 1);
  for (const word of words) {
    const next = new Uint16Array(others.length + 1);
    for (const [index, other] of others.entries()) {
      next[index + 1] = word === other ? (row[index] ?? 0) + 1 : Math.max(row[index + 1] ?? 0, next[index] ?? 0);
    }
    row = next;
  }
  return row[others.length] ?? 0;
}
