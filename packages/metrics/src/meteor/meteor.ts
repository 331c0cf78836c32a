import type { Score } from "../text/score.ts";
import { align, type Match } from "./alignment.ts";
import { meteorTokens } from "./meteor-tokens.ts";
import { createSynonyms, type Synonyms, wordnetFolder } from "./wordnet.ts";

/** How much recall counts in the mean: 9 to 1. */
const alpha = 0.9;
/** How steeply fragmentation counts, and how much at most. */
const [beta, gamma] = [3, 0.5];

/** Of the process: 28 MB that never change, read with the first words that need them. */
let wordnet: Synonyms | undefined;

/**
 * METEOR as NLTK's `single_meteor_score` has it (Lavie & Agarwal, "METEOR", 2007). With m matched tokens (see `align`) in c
 * chunks, which are runs that stand in both texts in the same order and without a gap:
 *
 *   P = m / tokens of the answer, R = m / tokens of the reference
 *   METEOR = P·R / (0.9·P + 0.1·R) · (1 - 0.5·(c/m)³), and 0 where m is 0
 *
 * Two equal texts score 1 - 0.5 / m³, not 1.
 */
export function meteor(answer: string, reference: string, synonyms: Synonyms = ofWordnet): Score {
  const [given, wanted] = [meteorTokens(answer), meteorTokens(reference)];
  const matches = align(given, wanted, synonyms);
  if (matches.length === 0) return { score: 0, reason: "no word of the answer is in the reference" };
  const [precision, recall] = [matches.length / given.length, matches.length / wanted.length];
  const mean = (precision * recall) / (alpha * precision + (1 - alpha) * recall);
  const chunks = countChunks(matches);
  return { score: mean * (1 - gamma * (chunks / matches.length) ** beta), reason: reasonOf() };

  function reasonOf(): string {
    const by = (stage: Match["stage"]) => matches.filter((match) => match.stage === stage).length;
    const kinds = `${by("exact")} the same, ${by("stem")} by stem, ${by("synonym")} by synonym`;
    return `${matches.length} tokens (${kinds}) of the answer's ${given.length} match of the reference's ${wanted.length}; chunks: ${chunks}`;
  }
}

const ofWordnet: Synonyms = (word) => {
  wordnet ??= createSynonyms(wordnetFolder());
  return wordnet(word);
};

function countChunks(matches: readonly Match[]): number {
  const isGap = (match: Match, next: Match | undefined) =>
    next?.answer !== match.answer + 1 || next.reference !== match.reference + 1;
  return matches.filter((match, at) => isGap(match, matches[at + 1])).length;
}
