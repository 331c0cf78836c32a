import { excerpt } from "../scoring/excerpt.ts";
import type { RankedText } from "./relevant-texts.ts";

const maxListed = 5;

/** Describes where each text was found: `"30 days" in passage 2; "postage" in none`. */
export function describeRanks(texts: readonly RankedText[]): string {
  const listed = texts.slice(0, maxListed).map(({ text, rank }) => {
    return `${excerpt(text)} in ${rank === undefined ? "none" : `passage ${rank}`}`;
  });
  const more = texts.length > maxListed ? [`and ${texts.length - maxListed} more`] : [];
  return [...listed, ...more].join("; ");
}
