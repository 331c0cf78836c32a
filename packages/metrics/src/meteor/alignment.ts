import { porterStem } from "../text-stem/porter.ts";
import type { Synonyms } from "./wordnet.ts";

/** Places of a token in the answer and in the reference. */
export interface Match {
  readonly answer: number;
  readonly reference: number;
  readonly stage: Stage;
}
type Stage = "exact" | "stem" | "synonym";

/** A token with its place; later stages compare stems in its place. */
interface Token {
  readonly at: number;
  readonly text: string;
}
/** Tokens that no stage has matched so far. */
interface Rest {
  readonly answer: readonly Token[];
  readonly reference: readonly Token[];
}

/**
 * Pairs tokens as NLTK does, each once: first equal ones, then those with an equal stem, then those whose stem has a
 * synonym that is the other's stem. In each stage the answer is gone through from its end, and of several partners the last
 * one is taken. Sorted by their place in the answer. `synonyms` is asked only where both texts have tokens left.
 */
export function align(answer: readonly string[], reference: readonly string[], synonyms: Synonyms): Match[] {
  let matches: readonly Match[] = [];
  let rest: Rest = { answer: answer.map(toToken), reference: reference.map(toToken) };
  pair("exact", same);
  rest = { answer: rest.answer.map(toStem), reference: rest.reference.map(toStem) };
  pair("stem", same);
  if (rest.reference.length > 0) pair("synonym", (text) => [...new Set([...synonyms(text), text])]);
  return matches.toSorted((a, b) => a.answer - b.answer);

  function pair(stage: Stage, partnersOf: (text: string) => readonly string[]): void {
    const found = pairsIn(rest, partnersOf).map((each) => ({ ...each, stage }));
    const [answers, references] = [
      new Set(found.map((each) => each.answer)),
      new Set(found.map((each) => each.reference)),
    ];
    matches = [...matches, ...found];
    rest = {
      answer: rest.answer.filter(({ at }) => !answers.has(at)),
      reference: rest.reference.filter(({ at }) => !references.has(at)),
    };
  }
}

/** By a table of what is left of the reference: comparing each with each would take long for long texts. */
function pairsIn(rest: Rest, partnersOf: (text: string) => readonly string[]): Omit<Match, "stage">[] {
  const left = Map.groupBy(rest.reference, ({ text }) => text);
  return rest.answer.toReversed().flatMap(({ at, text }) => {
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
