/**
 * Finds text that addresses a reader's assistant, such as "ignore your instructions". Authors who write for people do not write such text.
 * A marked part never reaches a model and never becomes a claim. The report shows it to users.
 */
import type { InstructionMark } from "../../sources/instruction-mark.ts";
import { actionPatterns } from "./action-patterns.ts";
import { addressPatterns } from "./address-patterns.ts";
import { findEncodedParts, hiddenLetters } from "./encoded-parts.ts";
import { type FoldedText, foldLetters } from "./fold-letters.ts";
import type { InstructionPattern } from "./instruction-pattern.ts";
import { markupPatterns } from "./markup-patterns.ts";
import { overridePatterns } from "./override-patterns.ts";
import { passageAround } from "./passage-around.ts";

/** Increase this number with every change of the detection, so that stored marks are computed again. */
export const detectorEdition = 2;

const patterns: readonly InstructionPattern[] = [
  ...overridePatterns,
  ...addressPatterns,
  ...markupPatterns,
  ...actionPatterns,
];

/** Finds the marked parts of a text, in order, without overlaps. Pure. Runs in linear time. */
export function findInstructions(text: string): readonly InstructionMark[] {
  const plain = foldLetters(text);
  const readings = [plain, ...(mayHaveLookAlikes(plain.text) ? [foldLetters(text, { replacesLookAlikes: true })] : [])];
  const found = readings.flatMap((reading) => findInReading(reading));
  const marks = [...found, ...findEncoded(text, 2), ...findHidden(text)];
  return merge(marks.map((mark) => ({ ...mark, ...passageAround(text, mark) })));
}

/**
 * Whether a short text, such as a title or a path, contains a marked part. Each name in a path is also checked alone, because some patterns
 * match only at the beginning of a line.
 */
export function isInstruction(text: string): boolean {
  const names = [...new Set([text, ...text.split(/[/\\]+/)])];
  return names.some(
    (name) => findInstructions(name).length > 0 || findInstructions(name.replaceAll(/[-_./\\]+/g, " ")).length > 0,
  );
}

function mayHaveLookAlikes(folded: string): boolean {
  return /[^\p{ASCII}]/u.test(folded) || /[a-z][013457@$!][a-z]|\b[013457@$][a-z]{2}/.test(folded);
}

function findInReading({ text, originOf }: FoldedText): readonly InstructionMark[] {
  const matching = patterns.filter(({ needs }) => needs.every((needed) => needed.test(text)));
  return matching.flatMap(({ reason, expression }) =>
    Array.from(text.matchAll(expression), ({ 0: found, index }) => ({
      start: originOf(index),
      end: originOf(index + found.length - 1) + 1,
      reason,
    })),
  );
}

/** Searches encoded parts, which may be encoded repeatedly. */
function findEncoded(text: string, depth: number): readonly InstructionMark[] {
  return findEncodedParts(text).flatMap(({ start, end, text: decoded }) => {
    const inside = [...findInReading(foldLetters(decoded)), ...(depth > 1 ? findEncoded(decoded, depth - 1) : [])];
    const [first] = inside;
    return first === undefined ? [] : [{ start, end, reason: `${first.reason}, encoded` }];
  });
}

function findHidden(text: string): readonly InstructionMark[] {
  const found = hiddenLetters.exec(text);
  return found === null
    ? []
    : [{ start: found.index, end: found.index + found[0].length, reason: "has hidden letters" }];
}

function merge(marks: readonly InstructionMark[]): readonly InstructionMark[] {
  const merged: InstructionMark[] = [];
  for (const mark of marks.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last === undefined || mark.start >= last.end) merged.push(mark);
    else merged[merged.length - 1] = { ...last, end: Math.max(last.end, mark.end) };
  }
  return merged;
}
