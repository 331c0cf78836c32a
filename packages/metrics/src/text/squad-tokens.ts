import { normalizeText } from "@bridle/protocol";
import { splitAtSpace } from "../scoring/white-space.ts";

const punctuation = /[!-/:-@[-`{-~]/g; // ASCII, as Python's string.punctuation

/** Letters of every script count as neighbors, so the `a` of `día` is not an article. */
const article = /(?<![\p{L}\p{M}\p{N}])(?:a|an|the)(?![\p{L}\p{M}\p{N}])/gu;

/**
 * Splits a text into tokens as SQuAD's official evaluation script does: lower case, without ASCII punctuation,
 * without the articles a, an and the, split at white space. The text is first normalized (NFC).
 */
export function squadTokens(text: string): string[] {
  const bare = normalizeText(text, "NFC").toLowerCase().replaceAll(punctuation, "").replaceAll(article, " ");
  return splitAtSpace(bare);
}
