/** Computes the expected facts from documents alone, without a store, runs or a model. */
import type { ClaimStatus } from "../../../src/claims/claim.ts";
import { authorities } from "../../../src/sources/source.ts";
import { type Documents, placeOf } from "./random-history.ts";
import type { Sentence } from "./sentences.ts";

/** One expected fact with all its sources. */
export interface ExpectedFact {
  readonly fact: number;
  readonly value: number;
  readonly status: ClaimStatus;
  /** Each source as `source/item: wording`, sorted. */
  readonly sayings: readonly string[];
}

interface Said {
  readonly sentence: Sentence;
  readonly rank: number;
  readonly day: string | undefined;
  readonly saying: string;
}

export function expectedFacts(documents: Documents): readonly ExpectedFact[] {
  const said = Array.from(documents).flatMap(([place, { sentences, day }]): readonly Said[] => {
    const { source, item, authority } = placeOf(place);
    const rank = authorities.indexOf(authority);
    return sentences.map((sentence) => ({ sentence, rank, day, saying: `${source}/${item}: ${sentence.text}` }));
  });
  const facts = Map.groupBy(said, ({ sentence }) => sentence.fact);
  return Array.from(facts, ([fact, all]) => {
    const values = [...Map.groupBy(all, ({ sentence }) => sentence.value)];
    const holding = values.filter(([, own]) => !values.some(([, others]) => isStronger(others, own)));
    return values.map(([value, own]): ExpectedFact => {
      const holds = holding.some(([each]) => each === value);
      const status = !holds ? "superseded" : holding.length > 1 ? "contested" : "current";
      return { fact, value, status, sayings: own.map(({ saying }) => saying).sort() };
    });
  })
    .flat()
    .sort((a, b) => a.fact - b.fact || a.value - b.value);
}

/** Compares the best sources of both: first by authority, then, for two documents, by date. */
function isStronger(ours: readonly Said[], theirs: readonly Said[]): boolean {
  const [our, their] = [ours, theirs].map((said) => Math.min(...said.map(({ rank }) => rank)));
  if (our === undefined || their === undefined || our !== their) return (our ?? 9) < (their ?? 9);
  if (authorities[our] !== "document") return false;
  const [last, other] = [ours, theirs].map(
    (said) =>
      said
        .filter(({ rank }) => rank === our)
        .flatMap(({ day }) => day ?? [])
        .sort()
        .at(-1) ?? "",
  );
  return last !== undefined && other !== undefined && last !== "" && other !== "" && last > other;
}
