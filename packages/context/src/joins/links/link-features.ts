import { type Features, numberOf } from "../features.ts";
import type { ColumnFacts, SchemaFacts } from "../schema-facts.ts";
import { type Estimates, estimateOf } from "../scores/estimates.ts";
import { sharesBound } from "./bounds.ts";
import type { ChildPlaces, LinkCandidate, LinkList } from "./link-list.ts";
import { RivalFeatures } from "./rival-features.ts";

/** Describes each candidate, including comparisons with the other candidates of the same child. */
export function* describeLinks(
  links: LinkList,
  schema: SchemaFacts,
  estimates: Estimates,
): Generator<readonly [LinkCandidate, Features]> {
  const rivals = new RivalFeatures(links, schema.columns.length);
  for (const places of links.children) {
    for (const [link, parts] of describeLinksOf(places, links, rivals, schema, estimates)) {
      yield [link, Object.assign({}, ...parts)];
    }
  }
}

/** Describes the candidates of one child, each in parts that have no features in common. */
export function* describeLinksOf(
  places: ChildPlaces,
  links: LinkList,
  rivals: RivalFeatures,
  schema: SchemaFacts,
  estimates: Estimates,
): Generator<readonly [LinkCandidate, readonly Features[]]> {
  const own = links.of(places);
  rivals.compare(own, places, estimates);
  const child = describeChild(places.child);
  for (const [at, link] of own.entries()) {
    const names = describeNames(link, schema, estimates);
    const conventions = estimates.conventions?.describe(link, estimates.scoreAt?.(places.from + at) ?? 0) ?? none;
    const both = combine(link, estimateOf(estimates, link.parent).key, conventions);
    yield [link, [child, describeValues(link, own.length), names, rivals.describe(at), conventions, both, always]];
  }
}

const none: Features = {
  otherColumn: 0,
  otherChild: 0,
  pattern: 0,
  precedent: 0,
  precedentElse: 0,
  unprecedented: 0,
  alone: 0,
};

/** Rates how unlikely it is that whole numbers far from each other are in the parent by chance, from 0 to 1. */
function sparsenessOf(child: ColumnFacts, parent: ColumnFacts): number {
  const [min, greatest] = parent.range ?? [0, 0];
  if (!child.integers || !parent.integers || parent.distinct < 2) return 0;
  const density = parent.distinct / (greatest - min + 1);
  return density > 0.2 ? 0 : Math.min(1, (child.distinct * -Math.log2(Math.max(density, 1e-6))) / 30);
}

/** Features that are informative only in combination. */
function combine(
  { child, parent, names }: LinkCandidate,
  key: number,
  { otherColumn = 0, otherChild = 0 }: Features,
): Features {
  const sparse = sparsenessOf(child, parent);
  const sameWords = child.words.join(" ") === parent.words.join(" ");
  const extension = numberOf(child.unique && sameWords) * names.ends;
  const ends = numberOf(names.score < 0.15) * names.ends;
  return {
    repeated: otherColumn * (1 - key),
    repeatedText: otherColumn * (1 - key) * numberOf(!child.integers),
    extension,
    extensionElse: extension * otherChild,
    endsElse: ends * otherChild,
    sparse,
    sparseKey: sparse * key,
    sparseUnique: sparse * numberOf(child.unique),
    dateKey: numberOf(child.dates) * key * Math.min(1, child.distinct / 10),
  };
}

/** Describes how often the child's values are repeated or missing. */
function describeChild({ filled, distinct, table, discriminated }: ColumnFacts): Features {
  return {
    discriminated: numberOf(discriminated),
    repeat: Math.min(1, Math.log2(Math.max(1, filled / Math.max(1, distinct))) / 10),
    nulls: table.profile.rows === 0 ? 0 : 1 - filled / table.profile.rows,
    fewOfMany: numberOf(distinct <= 12 && filled >= 20 * distinct),
  };
}

const always: Features = { always: 1 };

/** Returns the bits of evidence against chance that all values of the child are in the parent, at most 60. */
function luckOf({ child, parent }: LinkCandidate): number {
  if (!child.integers || !parent.integers) return Math.min(60, child.distinct * 3);
  const [min, greatest] = parent.range ?? [0, 0];
  const density = Math.min(1, parent.distinct / (greatest - min + 1));
  return Math.min(60, Math.min(child.distinct, 30) * -Math.log2(Math.max(density, 1e-6)));
}

function reachOf({ child, parent }: LinkCandidate): number {
  if (!child.integers || !parent.integers) return Math.min(1, child.distinct / parent.distinct);
  const [from, to] = child.range ?? [0, 0];
  const [min, greatest] = parent.range ?? [0, 0];
  return Math.min(1, (to - from) / Math.max(1, greatest - min));
}

function describeValues(link: LinkCandidate, candidates: number): Features {
  const { child, parent, covered } = link;
  const luck = luckOf(link);
  const cover = Math.min(1, child.distinct / parent.distinct);
  return {
    complete: numberOf(covered === 1),
    covered: (covered - 0.9) * 10,
    luck: luck / 60,
    logLuck: Math.log2(1 + luck) / 6,
    cover,
    luckCover: (luck / 60) * cover,
    reach: reachOf(link),
    candidates: Math.log2(candidates),
    childUnique: numberOf(child.unique),
    childFirst: numberOf(child.position === 0),
    oneToOne: numberOf(child.unique && child.distinct === parent.distinct),
    self: numberOf(child.table === parent.table),
    selfRoot: numberOf(child.table === parent.table && hasFewRoots(link)),
    integers: numberOf(child.integers),
    dates: numberOf(child.dates),
    sameType: numberOf(child.type.toLowerCase() === parent.type.toLowerCase()),
    few: 1 / child.distinct,
    smallParent: 1 / Math.log2(2 + parent.distinct),
    moreRows: numberOf(child.table.rows >= parent.table.rows),
    top: numberOf(sharesBound(link, 1)),
    topOfPart: numberOf(sharesBound(link, 1)) * (1 - cover),
    bottom: numberOf(sharesBound(link, 0)),
  };
}

/** Whether a few rows have no value, such as those at the top of a hierarchy. */
function hasFewRoots({ child }: LinkCandidate): boolean {
  const { rows } = child.table;
  return child.integers && !child.unique && child.filled < rows && child.filled >= 0.6 * rows;
}

function describeNames(
  { child, parent, names, ...link }: LinkCandidate,
  schema: SchemaFacts,
  estimates: Estimates,
): Features {
  const { key, links: onward } = estimateOf(estimates, parent);
  const luck = luckOf({ child, parent, names, ...link });
  const logLuck = Math.log2(1 + luck) / 6;
  const strange = numberOf(names.score < 0.15);
  const unnamed = 1 - schema.named;
  return {
    equal: numberOf(names.equal),
    nameChild: names.child,
    nameTable: names.table,
    nameParent: names.parent,
    nameOwn: names.own,
    nameContext: names.context,
    nameEnds: names.ends,
    strangeEnds: strange * names.ends,
    onward,
    onwardStrange: onward * (1 - names.score),
    name: names.score,
    key,
    childKey: estimateOf(estimates, child).key,
    keyWord: child.keyWord,
    noKey: numberOf(key < 0.2),
    parentLength: parent.numbers ? 0 : Math.min(1, parent.meanLength / 30),
    keyName: key * names.score,
    keyLuck: (key * luck) / 60,
    strange,
    strangeLuck: strange * logLuck,
    strangeFew: strange / child.distinct,
    unnamed,
    unnamedLuck: unnamed * logLuck,
    unnamedCover: unnamed * Math.min(1, child.distinct / parent.distinct),
    selfKeyWord: numberOf(child.table === parent.table) * child.keyWord,
    selfStrange: numberOf(child.table === parent.table) * strange,
  };
}
