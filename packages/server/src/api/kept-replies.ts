import type { Workspace } from "@bridle/app/serving";

interface Kept<T> {
  readonly at: number;
  readonly made: Promise<T>;
}

/**
 * Caches replies that are expensive to compute, for example because they start processes. For each workspace, a reply is computed only once
 * at a time, and cached for some time.
 */
export class KeptReplies<T> {
  readonly #keptMs: number;
  readonly #kept = new WeakMap<Workspace, Map<string, Kept<T>>>();

  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  /** Returns the cached reply, or makes it. `make` gets no request's signal, because other requests may wait for the same reply. */
  of(workspace: Workspace, key: string, make: () => Promise<T>): Promise<T> {
    const ofWorkspace = this.#kept.get(workspace) ?? new Map<string, Kept<T>>();
    this.#kept.set(workspace, ofWorkspace);
    const known = ofWorkspace.get(key);
    if (known !== undefined && performance.now() - known.at < this.#keptMs) return known.made;
    const made = make();
    const kept = { at: Number.POSITIVE_INFINITY, made };
    ofWorkspace.set(key, kept);
    made.then(
      () => ofWorkspace.set(key, { at: performance.now(), made }),
      () => ofWorkspace.delete(key),
    );
    return made;
  }
}
