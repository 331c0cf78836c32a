/** SQLite knows upper and lower case of a to z only. JavaScript also makes k of a Kelvin sign, and S of a long s. */

export function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

export function upperAscii(text: string): string {
  return text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());
}
