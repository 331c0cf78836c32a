/** Writes a service's message on one line that ends like a sentence. */
export function toSentence(message: string): string {
  const line = message.replaceAll(/\s+/g, " ").trim();
  return /[.?!]$/.test(line) ? line : `${line}.`;
}
