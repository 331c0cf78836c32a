import type { MetricFacts } from "@bridle/protocol";
import { normalizeText } from "@bridle/protocol";
import { z } from "zod";
import { NoScoreError } from "../scoring/no-score-error.ts";
import { groundTruthsOf } from "../scoring/score-answer.ts";

/** A text that a search should find, and how much it matters. */
interface RelevantText {
  readonly text: string;
  readonly gain: number;
}

/** A relevant text with the rank of the first passage that contains it, from 1; `undefined` if no passage contains it. */
export interface RankedText extends RelevantText {
  readonly rank: number | undefined;
}

const text = z.string().trim().min(1).describe("The text.");
/** The settings of both ranking metrics. */
export const rankingSettings = {
  relevant: z
    .array(z.union([text, z.strictObject({ text, gain: z.number().positive().describe("The importance, above 0.") })]))
    .min(1)
    .exactOptional()
    .describe(
      "Texts that the search should find: each a text, or { text, gain } with a larger gain for a more important one. Default: the ground truth.",
    ),
  k: z.int().min(1).exactOptional().describe("How many of the top passages count. Default: all."),
};

interface RankingOptions {
  readonly relevant?: readonly (string | RelevantText)[] | undefined;
  readonly k?: number | undefined;
}

/**
 * Finds the ranks of the relevant texts among the first k retrieved passages. Several ground truths are alternatives: the one with the
 * lowest rank is relevant. A passage contains a text regardless of case and of the amount of white space. Throws NoScoreError if neither
 * relevant texts nor a ground truth are given. Without passages, no text has a rank.
 */
export function rankRelevantTexts({ relevant, k }: RankingOptions, facts: MetricFacts): readonly RankedText[] {
  const passages = facts.retrievalContext.slice(0, k).map(comparable);
  const rankOf = (wanted: string) => {
    const found = passages.findIndex((passage) => passage.includes(comparable(wanted)));
    return found === -1 ? undefined : found + 1;
  };
  const toRanked = (each: string | RelevantText): RankedText => {
    const { text: wanted, gain } = typeof each === "string" ? { text: each, gain: 1 } : each;
    return { text: wanted, gain, rank: rankOf(wanted) };
  };
  return relevant === undefined ? firstFound(groundTruthsOf(facts).map(toRanked)) : relevant.map(toRanked);
}

function firstFound(alternatives: readonly RankedText[]): readonly RankedText[] {
  const rank = ({ rank: given = Number.POSITIVE_INFINITY }: RankedText) => given;
  const [first] = alternatives.toSorted((a, b) => rank(a) - rank(b) || 0);
  if (first !== undefined) return [first];
  throw new NoScoreError(
    "there is neither relevant nor ground_truth. Write the texts that the search should find, or remove the metric.",
  );
}

const comparable = (given: string) =>
  normalizeText(given, "NFC")
    .toLowerCase()
    .replaceAll(/[\s\p{White_Space}]+/gu, " ")
    .trim();
