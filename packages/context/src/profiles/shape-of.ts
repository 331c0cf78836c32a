/** Characters. Longer strings are cut before their shape is determined. */
const maxChars = 200;

const maxShapeLength = 40;

/**
 * Returns the shape of a string: letters as `a` or `A`, digits as `9`, repeated ones once with `+`, and blanks as one space. ASCII
 * punctuation stays, and any other character becomes `?`. `Bob-1234` is `Aa+-9+`.
 */
export function shapeOf(text: string): string {
  let shape = "";
  let last = "";
  let repeated = false;
  for (const character of text.slice(0, maxChars)) {
    const kind = kindOf(character);
    if (kind === last) {
      repeated = true;
      continue;
    }
    if (repeated) shape += "+";
    if (shape.length >= maxShapeLength) return `${shape}…`;
    shape += kind;
    last = kind;
    repeated = false;
  }
  return (repeated ? `${shape}+` : shape) + (text.length > maxChars ? "…" : "");
}

function kindOf(character: string): string {
  if (character >= "a" && character <= "z") return "a";
  if (character >= "A" && character <= "Z") return "A";
  if (character >= "0" && character <= "9") return "9";
  if (/\s/.test(character)) return " ";
  if (character < "\u007f") return character;
  if (/\p{N}/u.test(character)) return "9";
  if (/\p{Lu}/u.test(character)) return "A";
  return /[\p{L}\p{M}]/u.test(character) ? "a" : "?";
}
