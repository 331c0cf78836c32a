/** Finds all join paths from one model to another. */
import type { JoinEdge } from "../models/join-edge.ts";
import type { ModelSet } from "../models/model-set.ts";

type Path = readonly JoinEdge[];

/** The maximum number of paths that a refusal lists. */
const fewPaths = 8;

/**
 * Finds the simple paths between two models: no path visits a model twice. A declared join is followed backwards only before the first
 * many-to-one join. After it, the path would reach rows of another fact that only share a dimension. If there is no other path, a path may
 * lead into bridges there.
 */
export function findPaths(models: ModelSet, from: string, to: string, max = fewPaths): readonly Path[] {
  if (from === to) return [[]];
  const paths = new PathSearch(models, to, max, false).search(from);
  return paths.length > 0 ? paths : new PathSearch(models, to, max, true).search(from);
}

/** Whether a path has followed a many-to-one join. */
type Phase = "before" | "behind";

class PathSearch {
  readonly #models: ModelSet;
  readonly #target: string;
  readonly #max: number;
  readonly #usesBridges: boolean;
  readonly #reaching: Readonly<Record<Phase, ReadonlySet<string>>>;
  readonly #found: Path[] = [];

  constructor(models: ModelSet, target: string, max: number, usesBridges: boolean) {
    this.#models = models;
    this.#target = target;
    this.#max = max;
    this.#usesBridges = usesBridges;
    const behind = this.#modelsThatReach("behind", new Set());
    this.#reaching = { behind, before: this.#modelsThatReach("before", behind) };
  }

  search(from: string): readonly Path[] {
    if (this.#reaching.before.has(from)) this.#walk(from, [], "before", new Set([from]));
    return this.#found;
  }

  #walk(model: string, path: Path, phase: Phase, visited: Set<string>): void {
    for (const edge of this.#models.edgesFrom(model)) {
      if (this.#found.length >= this.#max) return;
      const next = phaseAfter(edge, phase);
      if (!this.#isAllowed(edge, phase) || visited.has(edge.to) || !this.#reaching[next].has(edge.to)) continue;
      if (edge.to === this.#target) {
        this.#found.push([...path, edge]);
        continue;
      }
      visited.add(edge.to);
      this.#walk(edge.to, [...path, edge], next, visited);
      visited.delete(edge.to);
    }
  }

  /** Finds all models that have a path to the target in this phase. The search stays within these models. */
  #modelsThatReach(phase: Phase, behind: ReadonlySet<string>): ReadonlySet<string> {
    const reaching = new Set([this.#target, ...(phase === "before" ? behind : [])]);
    const queue = [...reaching];
    for (let model = queue.pop(); model !== undefined; model = queue.pop()) {
      for (const back of this.#models.edgesInto(model)) {
        const leads = phaseAfter(back, phase) === phase || behind.has(model) || model === this.#target;
        if (!leads || !this.#isAllowed(back, phase) || reaching.has(back.from)) continue;
        reaching.add(back.from);
        queue.push(back.from);
      }
    }
    return reaching;
  }

  #isAllowed(edge: JoinEdge, phase: Phase): boolean {
    if (edge.cardinality !== "to_many" || edge.isDeclared || phase === "before") return true;
    return this.#usesBridges && this.#models.isBridge(edge);
  }
}

function phaseAfter({ cardinality }: JoinEdge, phase: Phase): Phase {
  return cardinality === "many_to_one" ? "behind" : phase;
}
