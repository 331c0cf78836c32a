import { withValues } from "../../app/paths.ts";
import type { SessionEntry } from "../../connection/session-entries.ts";

/** The tabs of the inspector. */
export const inspectorParts = ["content", "events", "context"] as const;
export type InspectorPart = (typeof inspectorParts)[number];

export interface OpenedPlace {
  /** An event of the entry. Nothing if the inspector is closed. */
  readonly seq: number | undefined;
  readonly part: InspectorPart;
}

/** The place that an address names, such as `?open=12&show=events`. */
export function readOpened(search: URLSearchParams): OpenedPlace {
  const seq = Number(search.get("open"));
  return {
    seq: Number.isSafeInteger(seq) && seq > 0 ? seq : undefined,
    part: inspectorParts.find((part) => part === search.get("show")) ?? "content",
  };
}

/** The address without the inspector, or with this place in it. All else of it stays. */
export function writeOpened(search: URLSearchParams, { seq, part }: OpenedPlace): URLSearchParams {
  return withValues(search, { open: seq, show: seq === undefined || part === "content" ? undefined : part });
}

/**
 * The index of the entry that an event belongs to: the one that it began, a call between its request and its reply, or the text that
 * was completed next. -1 for none.
 */
export function findOpened(entries: readonly SessionEntry[], opened: number | undefined): number {
  if (opened === undefined) return -1;
  const exact = entries.findIndex(({ seq }) => seq === opened);
  if (exact >= 0) return exact;
  const next = entries.findIndex((entry) => entry.seq > opened);
  const before = next === -1 ? entries.length - 1 : next - 1;
  const call = entries.findLastIndex(
    (entry, index) => index <= before && entry.kind === "tool" && (entry.endSeq ?? 0) >= opened,
  );
  return call >= 0 ? call : next;
}
