import { type Features, numberOf } from "../features.ts";
import { type Estimates, estimateOf } from "../scores/estimates.ts";
import { sharesBound } from "./bounds.ts";
import type { ChildPlaces, LinkCandidate, LinkList } from "./link-list.ts";

/** Compares the candidates of a child with each other, one child after another. */
export class RivalFeatures {
  readonly #links: LinkList;
  /** The position of each column among the parents of the child, plus one, by the number of the column. */
  readonly #placeOf: Int32Array;
  #rivals: readonly LinkCandidate[] = [];
  /** The probability that the parent of each rival is a key. */
  #keys: readonly number[] = [];
  /** The probability that the parent of each rival links to another column itself. */
  #onward: readonly number[] = [];
  /** The rivals with parents that may be keys. */
  #keyed: readonly number[] = [];
  /** For each pair of rivals, whether the parent of the first links to the parent of the second and so contains only values of it. */
  #inside = new Uint8Array();
  #best = { name: 0, tableName: 0, keyName: 0, key: 0, ends: 0 };
  #probable = 0;

  constructor(links: LinkList, columns: number) {
    this.#links = links;
    this.#placeOf = new Int32Array(columns);
  }

  /** Takes the candidates of the next child. */
  compare(rivals: readonly LinkCandidate[], places: ChildPlaces, estimates: Estimates): void {
    this.#rivals = rivals;
    this.#keys = rivals.map(({ parent }) => estimateOf(estimates, parent).key);
    this.#onward = rivals.map(({ parent }) => estimateOf(estimates, parent).links);
    this.#keyed = [...this.#keys.keys()].filter((at) => (this.#keys[at] ?? 0) > 0);
    const max = (score: (rival: LinkCandidate, at: number) => number) => Math.max(0, ...rivals.map(score));
    this.#best = {
      name: max(({ names }) => names.score),
      tableName: max(({ names }) => names.table * names.score),
      keyName: max(({ names }, at) => names.score * this.#keyAt(at)),
      key: Math.max(0, ...this.#keys),
      ends: max(({ names }) => names.ends),
    };
    this.#probable = this.#keys.filter((key) => key > 0.5).length;
    this.#findInside(places);
  }

  /** Describes one of the candidates of this child. */
  describe(at: number): Features {
    const { names } = this.#rivals[at] ?? { names: { score: 0, table: 0, ends: 0 } };
    const { ends } = names;
    const key = this.#keyAt(at);
    return {
      nameGap: this.#best.name - names.score,
      tableGap: this.#best.tableName - names.table * names.score,
      keyNameGap: this.#best.keyName - names.score * key,
      keyGap: this.#best.key - key,
      keyed: Math.log2(1 + this.#probable),
      strangeRivals: numberOf(names.score < 0.15) * Math.log2(this.#rivals.length),
      topRivals: this.#countTopRivals(at),
      endsGap: this.#best.ends - ends,
      ...this.#compareKeys(at),
      ...this.#compareTwins(at),
    };
  }

  /** Describes keys that contain the parent or lie within it, and whose names fit about as well. */
  #compareKeys(at: number): Features {
    const link = this.#rivals[at];
    let [below, tighter, looser] = [0, 0, 0];
    if (link === undefined) return { below, tighter, looser };
    for (const other of this.#keyed) {
      const rival = this.#rivals[other];
      if (rival === undefined || rival === link) continue;
      const fits = Math.min(1, (0.05 + rival.names.score) / (0.05 + link.names.score));
      const likely = this.#keyAt(other) * fits;
      if (this.#isInside(at, other)) {
        below = Math.max(below, likely);
        tighter = Math.max(tighter, likely * tightness(link, rival));
      }
      if (this.#isInside(other, at)) looser = Math.max(looser, likely * tightness(rival, link));
    }
    return { below, tighter, looser };
  }

  /** Counts the other keys whose greatest number is the child's, if that is also the parent's. */
  #countTopRivals(at: number): number {
    const link = this.#rivals[at];
    if (link === undefined || !sharesBound(link, 1)) return 0;
    const tops = this.#keyed.filter((other) => {
      const rival = this.#rivals[other];
      return other !== at && rival !== undefined && sharesBound(rival, 1);
    });
    return Math.log2(1 + tops.length);
  }

  /** Describes keys with the same values as the parent. Links often lead to the key of the widest such table. */
  #compareTwins(at: number): Features {
    const link = this.#rivals[at];
    let [twins, wider, onward] = [0, -1, 0];
    if (link === undefined) return { twins, wider: 0, twinOnward: onward };
    for (const other of this.#keyed) {
      const rival = this.#rivals[other];
      if (rival === undefined || rival === link || rival.parent.distinct !== link.parent.distinct) continue;
      if (!this.#isInside(at, other) || !this.#isInside(other, at)) continue;
      twins++;
      const ratio = rival.parent.table.columns.length / link.parent.table.columns.length;
      wider = Math.max(wider, Math.max(-1, Math.min(1, Math.log2(ratio) / 2)));
      onward = Math.max(onward, this.#onward[at] ?? 0);
    }
    return { twins: numberOf(twins > 0), wider: twins > 0 ? wider : 0, twinOnward: onward };
  }

  #findInside({ from, to }: ChildPlaces): void {
    const count = to - from;
    if (this.#inside.length < count * count) this.#inside = new Uint8Array(count * count);
    else this.#inside.fill(0, 0, count * count);
    for (const [at, { parent }] of this.#rivals.entries()) this.#placeOf[parent.number] = at + 1;
    for (const [at, { parent }] of this.#rivals.entries()) {
      const onward = this.#links.placesOf(parent);
      for (let place = onward?.from ?? 0; place < (onward?.to ?? 0); place++) {
        const other = (this.#placeOf[this.#links.parentAt(place).number] ?? 0) - 1;
        if (other >= 0) this.#inside[at * count + other] = 1;
      }
    }
    for (const { parent } of this.#rivals) this.#placeOf[parent.number] = 0;
  }

  #isInside(inner: number, outer: number): boolean {
    return this.#inside[inner * this.#rivals.length + outer] === 1;
  }

  #keyAt(at: number): number {
    return this.#keys[at] ?? 0;
  }
}

/** Returns the bits of evidence against chance that a child of `outer` lies within `inner`, scaled to 0 to 1. */
function tightness(inner: LinkCandidate, outer: LinkCandidate): number {
  const bits = inner.child.distinct * Math.log2(outer.parent.distinct / inner.parent.distinct);
  return Math.min(1, Math.max(0, bits) / 30);
}
