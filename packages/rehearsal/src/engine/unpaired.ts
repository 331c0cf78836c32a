import type { ScriptHistoryEntry } from "./history.ts";

/** A call without its result, or a result without its call. */
export type Unpaired =
  | { readonly kind: "stray"; readonly id: string }
  | { readonly kind: "missing"; readonly ids: readonly string[] };

/** Finds the first result without an open call before it, or the first calls whose results do not follow. */
export function findUnpaired(entries: readonly ScriptHistoryEntry[]): Unpaired | undefined {
  let open: readonly string[] = [];
  for (const entry of entries) {
    if (entry.kind === "results") {
      const stray = entry.results.find(({ id }) => !open.includes(id));
      if (stray !== undefined) return { kind: "stray", id: stray.id };
      open = open.filter((id) => !entry.results.some((result) => result.id === id));
    } else {
      if (open.length > 0) return { kind: "missing", ids: open };
      open = entry.kind === "answer" ? entry.calls.map(({ id }) => id) : [];
    }
  }
  return open.length > 0 ? { kind: "missing", ids: open } : undefined;
}
