/** Groups wordings with the same meaning. Pure. */

import { addsToWordings, type Guard, whyNotSame } from "../claims/wording/compare-wordings.ts";
import type { Wording } from "../claims/wording/read-wording.ts";
import { type ClaimNode, textOfNode } from "./claim-nodes.ts";

/** Two wordings by their indexes in the list of nodes. */
export interface NodePair {
  readonly a: number;
  readonly b: number;
}

/** A relation between two statements that a model reported, and the guard that rejected it. */
export interface RefusedRelation {
  readonly relation: "same" | "conflict";
  readonly guard: Guard;
  readonly statements: readonly [string, string];
}

export interface StatementClusters {
  /** The indexes of the nodes in each cluster. Each node is in exactly one cluster. */
  readonly clusters: readonly (readonly number[])[];
  readonly refused: readonly RefusedRelation[];
  /**
   * Pairs that have the same meaning according to a model, but different numbers or a different negation. Such pairs may contradict each
   * other.
   */
  readonly suspicious: readonly NodePair[];
}

/** The maximum number of wordings in a cluster. A page shows each wording that adds information, so that a wrong merge hides nothing. */
const maxShown = 4;
const maxShownChars = 1200;
const maxNodes = 64;

/**
 * Merges the pairs in `same`, in order. Guarantees that all nodes of a cluster may have the same meaning, and that no two of them are in
 * `conflict`.
 */
export function clusterStatements(
  nodes: readonly ClaimNode[],
  same: readonly NodePair[],
  conflict: readonly NodePair[],
): StatementClusters {
  const clustering = new Clustering(nodes, conflict);
  for (const pair of same) clustering.merge(pair);
  return clustering.result();
}

class Clustering {
  readonly #nodes: readonly ClaimNode[];
  readonly #clusterOf: number[];
  readonly #members: number[][];
  readonly #conflicts: ReadonlySet<string>;
  readonly #refused: RefusedRelation[] = [];
  readonly #suspicious: NodePair[] = [];

  constructor(nodes: readonly ClaimNode[], conflict: readonly NodePair[]) {
    this.#nodes = nodes;
    this.#clusterOf = nodes.map((_, index) => index);
    this.#members = nodes.map((_, index) => [index]);
    this.#conflicts = new Set(conflict.map(({ a, b }) => keyOf(a, b)));
  }

  merge({ a, b }: NodePair): void {
    const [ours = a, theirs = b] = [this.#clusterOf[a], this.#clusterOf[b]];
    if (ours === theirs) return;
    const [left, right] = [this.#members[ours] ?? [], this.#members[theirs] ?? []];
    const guard = this.#difference(left, right) ?? this.#tooMany([...left, ...right]);
    if (guard === undefined) {
      for (const node of right) this.#clusterOf[node] = ours;
      this.#members[ours] = [...left, ...right];
      this.#members[theirs] = [];
      return;
    }
    const statements = [a, b].map((place) => textOf(this.#nodes[place]));
    this.#refused.push({ relation: "same", guard, statements: [statements[0] ?? "", statements[1] ?? ""] });
    if (guard === "numbers" || guard === "negation") this.#suspicious.push({ a, b });
  }

  result(): StatementClusters {
    const clusters = this.#members
      .filter(({ length }) => length > 0)
      .map((members) => members.toSorted((a, b) => a - b));
    return { clusters, refused: this.#refused, suspicious: this.#suspicious };
  }

  #difference(left: readonly number[], right: readonly number[]): Guard | undefined {
    for (const a of left) {
      for (const b of right) {
        const [ours, theirs] = [this.#nodes[a], this.#nodes[b]];
        if (this.#conflicts.has(keyOf(a, b))) return "conflict";
        const guard = ours === undefined || theirs === undefined ? undefined : whyNotSame(ours, theirs);
        if (guard !== undefined) return guard;
      }
    }
    return undefined;
  }

  #tooMany(places: readonly number[]): Guard | undefined {
    const nodes = places.flatMap((place) => this.#nodes[place] ?? []);
    const shown = shownWordings(nodes);
    const chars = shown.reduce((sum, { form }) => sum + form.length, 0);
    return places.length > maxNodes || shown.length > maxShown || chars > maxShownChars ? "size" : undefined;
  }
}

/** Wordings that add a word to the previous ones. */
function shownWordings(nodes: readonly ClaimNode[]): readonly Wording[] {
  const shown: Wording[] = [];
  for (const { wording } of nodes) if (addsToWordings(wording, shown)) shown.push(wording);
  return shown;
}

function keyOf(a: number, b: number): string {
  return `${Math.min(a, b)} ${Math.max(a, b)}`;
}

function textOf(node: ClaimNode | undefined): string {
  return node === undefined ? "" : textOfNode(node);
}
