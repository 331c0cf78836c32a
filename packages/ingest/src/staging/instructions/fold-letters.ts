/** Folds texts to the form that a reader sees: lower case, without accents and invisible characters. Pure, in linear time. */

/** A folded text, with positions in the original. */
export interface FoldedText {
  readonly text: string;
  /** Returns the position in the original. */
  originOf(position: number): number;
}

interface FoldOptions {
  /** Whether digits, and letters of other scripts, become the Latin letters that they resemble. */
  readonly replacesLookAlikes?: boolean;
}

const same = (position: number) => position;

export function foldLetters(text: string, { replacesLookAlikes = false }: FoldOptions = {}): FoldedText {
  if (!replacesLookAlikes && !/[^\p{ASCII}]/u.test(text)) return { text: text.toLowerCase(), originOf: same };
  const parts: string[] = [];
  const origins: number[] = [];
  for (let at = 0; at < text.length; ) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    const folded = replacesLookAlikes
      ? (lookAlike(character, text, at) ?? foldCharacter(character))
      : foldCharacter(character);
    for (let unit = 0; unit < folded.length; unit++) origins.push(at);
    parts.push(folded);
    at += character.length;
  }
  return { text: parts.join(""), originOf: (position) => origins[position] ?? text.length };
}

/** Folds the letters of a pattern as `foldLetters` does. */
export function foldPattern(source: string): string {
  return stripAccents(source.normalize("NFKC")).replaceAll("ı", "i");
}

const folded = new Map<string, string>();

function foldCharacter(character: string): string {
  if (character < "\u0080") return character.toLowerCase();
  const known = folded.get(character);
  if (known !== undefined) return known;
  const fresh = /\p{DI}|\p{Cf}|\p{Co}|[\u0300-\u036f]/u.test(character)
    ? ""
    : stripAccents(character.normalize("NFKC").toLowerCase()).replaceAll("ı", "i");
  if (folded.size < 20_000) folded.set(character, fresh);
  return fresh;
}

/** Removes accents. Keeps marks that are part of a letter in other scripts, such as vowels in Devanagari. */
function stripAccents(text: string): string {
  return text
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .normalize("NFC");
}

/** Letters that resemble the Latin letter before the colon. */
const alike = `a:аαɑ⍺ b:Ьβвƅ c:сϲⅽᴄ d:ԁⅾɗ e:еεєҽ℮ f:ſƒ g:ɡցġ h:һհн i:іιⅰӏᎥ j:јϳ k:κкᴋ l:ⅼ∣ l:ӏ m:мⅿᴍ n:ոпηᴎ o:оοσօ೦ p:рρϼ q:ԛգ
  r:гᴦɾ s:ѕꜱʂ t:тτᴛ u:υսцᴜ v:ѵνⅴᴠ w:ԝωшщᴡ x:хχⅹ y:уγүʏ z:ᴢʐ`;
const latinOf = new Map(
  alike.split(/\s+/).flatMap((pair) => {
    const [latin = "", others = ""] = pair.split(":");
    return [...others].flatMap((other) => [
      [other, latin],
      [other.toUpperCase(), latin],
    ]) as [string, string][];
  }),
);

const letterOf: Readonly<Record<string, string>> = {
  0: "o",
  1: "i",
  3: "e",
  4: "a",
  5: "s",
  7: "t",
  "@": "a",
  $: "s",
  "!": "i",
};

/** Returns the letter that a character resembles. A digit counts as a letter only next to letters. */
function lookAlike(character: string, text: string, at: number): string | undefined {
  const letter = letterOf[character];
  if (letter === undefined) return latinOf.get(character);
  const isBesideLetter = /\p{L}/u.test(text[at - 1] ?? "") || /\p{L}/u.test(text[at + 1] ?? "");
  return isBesideLetter ? letter : undefined;
}
