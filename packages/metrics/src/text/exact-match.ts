import { excerpt } from "./excerpt.ts";
import type { Score } from "./score.ts";
import { squadTokens } from "./squad-tokens.ts";

/**
 * Exact match of SQuAD: 1 where answer and reference are the same in lower case, without punctuation of ASCII, without
 * articles and with single spaces, else 0. Two texts of which nothing is left are the same.
 */
export function exactMatch(answer: string, reference: string): Score {
  const given = squadTokens(answer).join(" ");
  const wanted = squadTokens(reference).join(" ");
  if (given === wanted) return { score: 1 };
  return { score: 0, reason: `compared as ${excerpt(given)} and ${excerpt(wanted)}` };
}
