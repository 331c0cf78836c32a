import { porterStem } from "../text-stem/porter.ts";
import { commonCount, fMeasure, gramsOf } from "./overlap.ts";
import { rougeTokens } from "./rouge-tokens.ts";
import type { Score } from "./score.ts";

export interface RougeSettings {
  /** Words count by their stems, as Porter's algorithm finds them in English. Default: false. */
  readonly stemming?: boolean;
}

/**
 * The F-measure of ROUGE-1 as rouge_score has it: with c the words that answer and reference have in common, each at most
 * as often as both have it, precision is c / words of the answer, recall is c / words of the reference, and
 * F = 2 * precision * recall / (precision + recall). 0 where one of them has no words.
 */
export const rouge1 = (answer: string, reference: string, settings: RougeSettings = {}): Score =>
  rougeN(1, answer, reference, settings);

/** ROUGE-2: as ROUGE-1, of pairs of neighbouring words. A text of one word has none, and scores 0. */
export const rouge2 = (answer: string, reference: string, settings: RougeSettings = {}): Score =>
  rougeN(2, answer, reference, settings);

/** ROUGE-L: as ROUGE-1, where c is the length of the longest sequence of words that both have in this order, with gaps. */
export function rougeL(answer: string, reference: string, settings: RougeSettings = {}): Score {
  const given = wordsOf(answer, settings);
  const wanted = wordsOf(reference, settings);
  return scoreOf(longestCommonSequence(given, wanted), given.length, wanted.length);
}

function rougeN(n: number, answer: string, reference: string, settings: RougeSettings): Score {
  const given = gramsOf(wordsOf(answer, settings), n);
  const wanted = gramsOf(wordsOf(reference, settings), n);
  return scoreOf(commonCount(given, wanted), given.length, wanted.length);
}

function scoreOf(common: number, given: number, wanted: number): Score {
  return {
    score: fMeasure(common, given, wanted),
    reason: `precision ${common}/${given}, recall ${common}/${wanted}`,
  };
}

/** Words of up to three letters stay as they are, also with stemming, as in rouge_score. */
function wordsOf(text: string, { stemming = false }: RougeSettings): string[] {
  const words = rougeTokens(text);
  return stemming ? words.map((word) => (word.length > 3 ? porterStem(word) : word)) : words;
}

/** Row by row: a cell is the length for the beginnings of both lists up to it. */
function longestCommonSequence(first: readonly string[], second: readonly string[]): number {
  let above = new Uint32Array(second.length + 1);
  for (const item of first) {
    const row = new Uint32Array(second.length + 1);
    second.forEach((other, index) => {
      const skipped = Math.max(above[index + 1] ?? 0, row[index] ?? 0);
      row[index + 1] = item === other ? (above[index] ?? 0) + 1 : skipped;
    });
    above = row;
  }
  return above[second.length] ?? 0;
}
