import type { MetricDocumentation } from "@bridle/protocol";
import { z } from "zod";
import { defineMetric } from "../scoring/define-metric.ts";
import type { Score } from "../scoring/score.ts";
import { compareWithGroundTruth, faultWithoutTokens } from "../scoring/score-answer.ts";
import { porterStem } from "../stemming/porter.ts";
import { commonCount, fMeasure, gramsOf } from "./overlap.ts";
import { rougeTokens } from "./rouge-tokens.ts";

export interface RougeSettings {
  /** Whether words are compared by their English stems (Porter's algorithm). Default: false. */
  readonly stemming?: boolean | undefined;
}

/**
 * The F-measure of ROUGE-1 as in rouge_score. With c the number of words in common, where a repeated word counts min(times in the answer,
 * times in the reference), precision is c / words of the answer, recall is c / words of the reference, and F = 2 * precision * recall /
 * (precision + recall). 0 if one of the texts has no words.
 */
export const rouge1 = (answer: string, reference: string, settings: RougeSettings = {}): Score =>
  rougeN(1, answer, reference, settings);

/** ROUGE-2: ROUGE-1 of pairs of neighboring words. A one-word text has no pair, and scores 0. */
export const rouge2 = (answer: string, reference: string, settings: RougeSettings = {}): Score =>
  rougeN(2, answer, reference, settings);

/** Returns ROUGE-L: ROUGE-1 with c the length of the longest common subsequence of words. */
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

/** Splits a text into words. Stemming leaves words of up to three letters unchanged, as in rouge_score. */
function wordsOf(text: string, { stemming = false }: RougeSettings): string[] {
  const words = rougeTokens(text);
  return stemming ? words.map((word) => (word.length > 3 ? porterStem(word) : word)) : words;
}

/** Computes one row of the table at a time. A cell is the length for the parts of both lists up to that cell. */
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

const settings = {
  stemming: z.boolean().exactOptional().describe("Whether words are compared by their English stems. Default: false."),
};

type Compare = (answer: string, reference: string, settings: RougeSettings) => Score;

function defineRouge<const Name extends string, const Alias extends string = never>(
  name: Name,
  compare: Compare,
  summary: string,
  aliases: readonly Alias[] = [],
) {
  const grams = name === "rouge2" ? 2 : 1;
  const compared = grams === 2 ? "compares pairs of words" : "compares letters and digits";
  const documentation: MetricDocumentation = {
    summary,
    range: "0 to 1",
    needs: "`ground_truth`",
    cost: "none",
    page: "rouge",
  };
  return defineMetric({
    name,
    aliases,
    type: "standard",
    kind: "wording",
    settings,
    unit: null,
    passes: "at-least",
    defaultThreshold: 0.5,
    documentation,
    label: ({ stemming = false }) => (stemming ? `${name} (stemming)` : name),
    groundTruthFault: (truth) => faultWithoutTokens(truth, (text) => gramsOf(rougeTokens(text), grams), compared),
    open: ({ stemming }) => compareWithGroundTruth((answer, reference) => compare(answer, reference, { stemming })),
  });
}

export const rouge1Metric = defineRouge("rouge1", rouge1, "words in common");
export const rouge2Metric = defineRouge("rouge2", rouge2, "pairs of neighbouring words in common");
export const rougeLMetric = defineRouge("rougeL", rougeL, "the longest common sequence of words", ["rouge"]);
