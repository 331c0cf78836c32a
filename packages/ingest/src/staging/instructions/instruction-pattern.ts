import { foldPattern } from "./fold-letters.ts";

/** A form of text that addresses an assistant. */
export interface InstructionPattern {
  /** For people: `overrides instructions`. */
  readonly reason: string;
  /** For a text as `foldLetters` writes it. Global. Takes time in proportion to the text. */
  readonly expression: RegExp;
}

/** Patterns of one reason. Write them in lower case; accents do not matter. */
export function instructionPatterns(reason: string, sources: readonly string[]): readonly InstructionPattern[] {
  return sources.map((source) => ({ reason, expression: new RegExp(foldPattern(source), "gmu") }));
}

/** Up to so many characters of one sentence. */
export function upTo(characters: number): string {
  return String.raw`[^.!?\n。！？]{0,${characters}}?`;
}
