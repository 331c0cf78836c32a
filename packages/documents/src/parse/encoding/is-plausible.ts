/** The number of characters of a text that are examined. */
const examined = 200_000;

/** Control characters, which occur in text that was decoded with the wrong encoding. */
const control = /[^\P{Cc}\t\n\f\r]/u;

/** A symbol inside a word, or a capital letter between small letters. */
const wrongSign = /\p{L}[‚„†‡•…‰ˆ˜™¡-©«-´¶¹-¿×÷]\p{L}|\p{Ll}\p{Lu}\p{Ll}/u;

const latin = /\p{Script=Latin}/u;

/** A letter of a script that does not mix with Latin letters in one word. Some scripts have no spaces between words. */
const otherScript =
  /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** The maximum share of odd words among words with non-ASCII letters. With a higher share, the guess counts as wrong. */
const maxOddShare = 0.05;

/** Whether a text looks correctly decoded. Pure. */
export function isPlausible(text: string): boolean {
  const start = text.slice(0, examined);
  if (control.test(start)) return false;
  const words = start.split(/\s+/).filter((word) => /\P{ASCII}/u.test(word));
  return words.filter(isOdd).length <= words.length * maxOddShare;
}

function isOdd(word: string): boolean {
  return (
    wrongSign.test(word) ||
    (word.match(/[\p{L}\p{M}]+/gu) ?? []).some((part) => latin.test(part) && otherScript.test(part))
  );
}
