/**
 * Converts case like SQLite, which only knows the upper and lower case of a to z. JavaScript would also convert a Kelvin sign to k, and a
 * long s to S.
 */

export function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

export function upperAscii(text: string): string {
  return text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());
}
