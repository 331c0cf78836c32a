import { foldPattern } from "./fold-letters.ts";

/** A form of text that addresses an assistant. */
export interface InstructionPattern {
  /** For display: `overrides instructions`. */
  readonly reason: string;
  /** For a text as `foldLetters` returns it. Global. Must run in linear time. */
  readonly expression: RegExp;
  /** Quick tests that every such text passes. Most texts fail them and are not searched further. */
  readonly needs: readonly RegExp[];
}

/** Patterns with the same reason. Write them in lower case; accents do not matter. */
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

/** A pattern for another script cannot match ASCII text, so such texts are skipped. */
function needsOtherLetters(source: string): readonly RegExp[] {
  const hasLatin = /[a-z]{3}/.test(source.replaceAll(/\\p\{\w+\}/g, ""));
  return hasLatin ? [] : [/[^\p{ASCII}]/u];
}

/** Where an utterance may begin: a line, a SQL comment, a table cell, or a column description in a list. */
export const opening = String.raw`(?:^|/\*|--|\||^[-*] [\w.]{1,60}:)`;

/** Up to this many characters of one sentence. */
export function upTo(characters: number): string {
  return String.raw`[^.!?\n。！？]{0,${characters}}?`;
}
