import type { ClaimConflict } from "./draft-claim.ts";
import type { PinnedClaims } from "./pins.ts";

interface Edge {
  readonly reason: string | undefined;
  readonly isSettleable: boolean;
}

/** Which claims cannot both be true, including users' decisions about them. */
export class ConflictGraph {
  readonly #edges = new Map<string, Map<string, Edge>>();

  constructor(conflicts: readonly ClaimConflict[], pins: PinnedClaims) {
    for (const { a, b, reason, isSettleable } of conflicts) {
      if (!pins.areBothTrue(a, b))
        this.#connect(a, b, { reason, isSettleable: isSettleable || pins.has(a) || pins.has(b) });
    }
    for (const [pinned, other] of pins.choices()) {
      const reason = this.#edges.get(pinned)?.get(other)?.reason;
      this.#connect(pinned, other, { reason, isSettleable: true });
    }
  }

  /** Returns the ids of the claims that contradict a claim, sorted. */
  of(id: string): readonly string[] {
    return [...(this.#edges.get(id)?.keys() ?? [])].sort();
  }

  /** Returns the claims that contradict a claim in a way that authority and date may settle. */
  settleable(id: string): readonly string[] {
    return this.of(id).filter((other) => this.#edges.get(id)?.get(other)?.isSettleable);
  }

  reasonOf(id: string, other: string | undefined): string | undefined {
    return other === undefined ? undefined : this.#edges.get(id)?.get(other)?.reason;
  }

  #connect(a: string, b: string, edge: Edge): void {
    if (a === b) return;
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const) {
      const edges = this.#edges.get(from) ?? new Map<string, Edge>();
      const known = edges.get(to);
      const isSettleable = edge.isSettleable || (known?.isSettleable ?? false);
      edges.set(to, { reason: known?.reason ?? edge.reason, isSettleable });
      this.#edges.set(from, edges);
    }
  }
}
