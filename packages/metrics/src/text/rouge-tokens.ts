/**
 * Words as rouge_score has them: runs of letters and digits, in lower case. It knows those of ASCII alone, and drops all
 * others; here letters and digits of every script count, so that a text in Greek is not without words. Of text in ASCII the
 * tokens are the same.
 */
export function rougeTokens(text: string): string[] {
  return (
    text
      .normalize("NFC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}
