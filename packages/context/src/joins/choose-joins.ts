import type { CompositeLink } from "./composites/composite-links.ts";
import type { JoinSteps } from "./join-steps.ts";
import type { KeyCandidate } from "./keys/key-candidates.ts";
import type { ChildPlaces, LinkCandidate, LinkList } from "./links/link-list.ts";
import type { ColumnFacts } from "./schema-facts.ts";
import type { JoinScores } from "./scores/score-candidates.ts";

/**
 * The minimum scores to report a key, to list a link for review, to accept it, and to compare a minimal set of columns with other tables.
 * The last score is low, because links to such a set may show that it is a key.
 */
export const thresholds = { key: 0.7, review: 0.2, accepted: 0.6, compared: 0.02 };

/** The maximum score of a link if another column shows that the link applies only to some rows. */
const partial = 0.4;

export interface ScoredKey {
  readonly key: KeyCandidate;
  readonly score: number;
}

export interface ScoredLink {
  readonly link: LinkCandidate;
  readonly score: number;
}

/** Chooses the most probable key of each table, if it is probable enough. */
export function chooseKeys({ keys }: JoinScores): readonly ScoredKey[] {
  const tables = Map.groupBy(keys, ([{ table }]) => table).values();
  const best = [...tables].flatMap((own) => own.toSorted(([, a], [, b]) => b - a).slice(0, 1));
  return best.filter(([, score]) => score >= thresholds.key).map(([key, score]) => ({ key, score }));
}

/** Adds the targets of links of several columns to the chosen keys, unless another key of the table is more probable. */
export function withLinked(chosen: readonly ScoredKey[], links: readonly CompositeLink[]): readonly ScoredKey[] {
  const keys = new Map(chosen.map((own) => [own.key.table, own]));
  for (const { key, score } of links.toSorted((a, b) => a.score - b.score)) {
    if (score < thresholds.accepted || (keys.get(key.table)?.score ?? 0) >= score) continue;
    keys.set(key.table, { key, score });
  }
  return [...keys.values()];
}

/** Chooses the most probable target of each column. If two columns link to each other, only one link is kept. */
export async function chooseLinks({ links, linkScores }: JoinScores, steps: JoinSteps): Promise<readonly ScoredLink[]> {
  const best = new Map<ColumnFacts, ScoredLink>();
  for (const places of links.children) {
    const chosen = mostProbable(places, links, linkScores);
    if (chosen !== undefined) best.set(places.child, chosen);
    const pause = steps.pause();
    if (pause !== undefined) await pause;
  }
  const mirrors = [...best.values()].filter((each) => isMirror(each, best.get(each.link.parent)));
  for (const { link } of mirrors) best.delete(link.child);
  const found: ScoredLink[] = [];
  for (const each of best.values()) {
    const places = links.placesOf(each.link.child);
    const own =
      places === undefined
        ? []
        : links.of(places).map((link, at) => [link, linkScores[places.from + at] ?? 0] as const);
    found.push(inOwnSchema(nearRoot(nearest(each, best, own), best, own), own));
    const pause = steps.pause();
    if (pause !== undefined) await pause;
  }
  return found;
}

/** Returns the first of a child's most probable candidates, if it is probable enough. */
function mostProbable(places: ChildPlaces, links: LinkList, scores: Float64Array): ScoredLink | undefined {
  let best: ScoredLink | undefined;
  for (let place = places.from; place < places.to; place++) {
    const score = Math.min(scores[place] ?? 0, places.child.discriminated ? partial : 1);
    if (score < thresholds.review || score <= (best?.score ?? 0)) continue;
    const link = links.at(places, place);
    if (!isCopy(link)) best = { link, score };
  }
  return best;
}

/** Whether the columns are the keys of two copies of a table, in two schemas. */
function isCopy({ child, parent }: LinkCandidate): boolean {
  const [own, other] = [child.table.profile, parent.table.profile];
  return child.unique && child.name === parent.name && own.name === other.name && own.schema !== other.schema;
}

/** A parent in the child's own schema is preferred even if the share of the child's rows that it contains is smaller by this much. */
const mayMiss = 0.03;

/** If parents in several schemas have the same name, prefers the one in the child's schema, provided that it contains the values, too. */
function inOwnSchema(chosen: ScoredLink, links: ChildLinks): ScoredLink {
  const { child, parent, covered } = chosen.link;
  const { schema } = child.table.profile;
  const { name, schema: other } = parent.table.profile;
  if (schema === other) return chosen;
  const own = links.find(
    ([link]) =>
      link.parent.table.profile.name === name &&
      link.parent.name === parent.name &&
      link.parent.table.profile.schema === schema &&
      link.covered >= covered - mayMiss,
  );
  return own === undefined ? chosen : { link: own[0], score: Math.max(own[1], chosen.score) };
}

/** Whether the other direction fits better. */
function isMirror({ link, score }: ScoredLink, back: ScoredLink | undefined): boolean {
  if (back === undefined || back.link.parent !== link.child) return false;
  return back.score - score > 0.02 || (back.score - score >= -0.02 && rootness(back.link) > rootness(link));
}

/** Rates how much the parent of a one-to-one link looks like the table that the columns are named after. */
function rootness({ child, parent, names }: LinkCandidate): number {
  return (
    names.table - names.own + 0.01 * (parent.distinct - child.distinct) + 1e-6 * (child.position - parent.position)
  );
}

/** The candidates of one child with their scores. */
type ChildLinks = readonly (readonly [LinkCandidate, number])[];

/** The minimum bits of evidence against chance for a table between the child and the chosen parent to replace that parent. */
const telling = 30;

/** Finds the smallest table whose key lies within the chosen parent and contains all values of the child, if that can hardly be chance. */
function nearest(chosen: ScoredLink, best: ReadonlyMap<ColumnFacts, ScoredLink>, links: ChildLinks): ScoredLink {
  const { child, parent, names } = chosen.link;
  const between = links.filter(([link]) => {
    if (link.child !== child || link.covered < 1 || link.names.score < 0.9 * names.score) return false;
    const onward = best.get(link.parent);
    const leads =
      onward !== undefined && onward.score >= thresholds.accepted && onward.link.child.table !== child.table;
    return leads && child.distinct * Math.log2(parent.distinct / link.parent.distinct) >= telling;
  });
  const [smallest] = between.sort(([a], [b]) => a.parent.distinct - b.parent.distinct);
  return smallest === undefined ? chosen : { link: smallest[0], score: Math.max(smallest[1], 0.9 * chosen.score) };
}

/** Follows one-to-one links from the parent to the table that they end in. */
function nearRoot(chosen: ScoredLink, best: ReadonlyMap<ColumnFacts, ScoredLink>, links: ChildLinks): ScoredLink {
  const next = best.get(chosen.link.parent);
  if (next === undefined || next.score < thresholds.accepted) return chosen;
  if (next.link.parent.distinct !== next.link.child.distinct || next.link.parent === chosen.link.child) return chosen;
  const root = links.find(([link]) => link.child === chosen.link.child && link.parent === next.link.parent);
  return root !== undefined && root[1] >= thresholds.accepted ? { link: root[0], score: root[1] } : chosen;
}
