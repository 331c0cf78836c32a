import { foldPattern } from "./fold-letters.ts";

/** A form of text that addresses an assistant. */
export interface InstructionPattern {
  /** The reason for display, such as `overrides instructions`. */
  readonly reason: string;
  /** A global expression for texts as `foldLetters` returns them. It must run in linear time. */
  readonly expression: RegExp;
  /** Quick tests that match every such text. Most texts do not match and are not searched further. */
  readonly needs: readonly RegExp[];
}

/** Creates patterns with the same reason. Write the sources in lower case; accents do not matter. */
export function instructionPatterns(
  reason: string,
  sources: readonly string[],
  needs: readonly string[] = [],
): readonly InstructionPattern[] {
  return sources.map((source) => {
    const folded = foldPattern(source);
    const isOfLetters = /^\p{ASCII}*$/u.test(folded) ? [] : needsOtherLetters(folded);
    const needed = [...isOfLetters, ...needs.map((each) => new RegExp(foldPattern(each), "mu"))];
    return { reason, expression: new RegExp(folded, "gmu"), needs: needed };
  });
}

/** Returns a quick test for a pattern in another script, which cannot match ASCII text. */
function needsOtherLetters(source: string): readonly RegExp[] {
  const hasLatin = /[a-z]{3}/.test(source.replaceAll(/\\p\{\w+\}/g, ""));
  return hasLatin ? [] : [/[^\p{ASCII}]/u];
}

/** Where an instruction may begin: a line, a SQL comment, a table cell, or a column description in a list. */
export const opening = String.raw`(?:^|/\*|--|\||^[-*] [\w.]{1,60}:)`;

/** Returns a pattern that matches at most this many characters of one sentence. */
export function upTo(characters: number): string {
  return String.raw`[^.!?\n。！？]{0,${characters}}?`;
}
