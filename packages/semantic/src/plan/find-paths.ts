/** All ways from one model to another over joins. */
import type { JoinEdge } from "../models/join-edge.ts";
import type { ModelSet } from "../models/model-set.ts";

type Path = readonly JoinEdge[];

/** More paths than these are not listed. */
const maxPaths = 8;

/**
 * The simple paths between two models: none visits a model twice. Paths without a to-many join come first: if there is one, paths with
 * such joins are not looked for. A declared join is taken backwards only before the first to-one join, because behind
 * it, rows of another fact would be reached that have nothing but a dimension in common.
 */
export function findPaths(models: ModelSet, from: string, to: string): readonly Path[] {
  if (from === to) return [[]];
  const direct = new PathSearch(models, to, false).search(from);
  return direct.length > 0 ? direct : new PathSearch(models, to, true).search(from);
}

class PathSearch {
  readonly #models: ModelSet;
  readonly #target: string;
  readonly #withMany: boolean;
  readonly #reaching: ReadonlySet<string>;
  readonly #found: Path[] = [];

  constructor(models: ModelSet, target: string, withMany: boolean) {
    this.#models = models;
    this.#target = target;
    this.#withMany = withMany;
    this.#reaching = this.#modelsThatReach(target);
  }

  search(from: string): readonly Path[] {
    if (this.#reaching.has(from)) this.#walk(from, [], new Set([from]));
    return this.#found;
  }

  #walk(model: string, path: Path, visited: Set<string>): void {
    for (const edge of this.#models.edgesFrom(model)) {
      if (this.#found.length >= maxPaths) return;
      if (!this.#allows(edge, path) || visited.has(edge.to) || !this.#reaching.has(edge.to)) continue;
      if (edge.to === this.#target) {
        this.#found.push([...path, edge]);
        continue;
      }
      visited.add(edge.to);
      this.#walk(edge.to, [...path, edge], visited);
      visited.delete(edge.to);
    }
  }

  #allows(edge: JoinEdge, path: Path): boolean {
    if (!edge.isToMany) return true;
    return this.#withMany && (edge.isDeclared || path.every(({ isToMany }) => isToMany));
  }

  /** Every model from which some path could lead to the target; the search stays within them. */
  #modelsThatReach(target: string): ReadonlySet<string> {
    const reaching = new Set([target]);
    const queue = [target];
    for (let model = queue.pop(); model !== undefined; model = queue.pop()) {
      for (const back of this.#models.edgesInto(model)) {
        if ((back.isToMany && !this.#withMany) || reaching.has(back.from)) continue;
        reaching.add(back.from);
        queue.push(back.from);
      }
    }
    return reaching;
  }
}
