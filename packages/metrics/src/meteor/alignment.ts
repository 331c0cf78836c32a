import { porterStem } from "../stemming/porter.ts";
import type { Synonyms } from "./wordnet.ts";

/** A matched pair: the positions of a token in the answer and in the reference. */
export interface Match {
  readonly answer: number;
  readonly reference: number;
  readonly stage: Stage;
}
type Stage = "exact" | "stem" | "synonym";

/** A token with its position. Later stages replace its text with its stem. */
interface Token {
  readonly at: number;
  readonly text: string;
}
/** The tokens that no stage has matched so far. */
interface Unmatched {
  readonly answer: readonly Token[];
  readonly reference: readonly Token[];
}
interface Alignment {
  readonly matches: readonly Match[];
  readonly unmatched: Unmatched;
}

/**
 * Pairs tokens as NLTK does, each at most once: first equal tokens, then tokens with equal stems, then tokens with synonymous stems. Each
 * stage goes through the answer from its end. Of several partners it takes the last. The result is sorted by position in the answer.
 * `synonyms` is called only if both texts have unmatched tokens.
 */
export function align(answer: readonly string[], reference: readonly string[], synonyms: Synonyms): Match[] {
  const tokens: Alignment = {
    matches: [],
    unmatched: { answer: answer.map(toToken), reference: reference.map(toToken) },
  };
  const byStem = matchStems(matchStage(tokens, "exact", same));
  const hasRest = byStem.unmatched.reference.length > 0;
  const withSynonyms = (text: string) => [...new Set([...synonyms(text), text])];
  const all = hasRest ? matchStage(byStem, "synonym", withSynonyms) : byStem;
  return all.matches.toSorted((a, b) => a.answer - b.answer);
}

function matchStems({ matches, unmatched }: Alignment): Alignment {
  const stems = { answer: unmatched.answer.map(toStem), reference: unmatched.reference.map(toStem) };
  return matchStage({ matches, unmatched: stems }, "stem", same);
}

function matchStage(
  { matches, unmatched }: Alignment,
  stage: Stage,
  partnersOf: (text: string) => readonly string[],
): Alignment {
  const found = pairsIn(unmatched, partnersOf).map((pair) => ({ ...pair, stage }));
  const answers = new Set(found.map((pair) => pair.answer));
  const references = new Set(found.map((pair) => pair.reference));
  return {
    matches: [...matches, ...found],
    unmatched: {
      answer: unmatched.answer.filter(({ at }) => !answers.has(at)),
      reference: unmatched.reference.filter(({ at }) => !references.has(at)),
    },
  };
}

/** Pairs tokens with a table of the reference, because comparing every pair of tokens would be slow for long texts. */
function pairsIn(tokens: Unmatched, partnersOf: (text: string) => readonly string[]): Omit<Match, "stage">[] {
  const left = Map.groupBy(tokens.reference, ({ text }) => text);
  return tokens.answer.toReversed().flatMap(({ at, text }) => {
    const candidates = partnersOf(text).flatMap((partner) => left.get(partner)?.at(-1) ?? []);
    if (candidates.length === 0) return [];
    const last = candidates.reduce((later, each) => (each.at > later.at ? each : later));
    left.get(last.text)?.pop();
    return [{ answer: at, reference: last.at }];
  });
}

const toToken = (text: string, at: number): Token => ({ at, text });
const toStem = ({ at, text }: Token): Token => ({ at, text: porterStem(text) });
const same = (text: string) => [text];
