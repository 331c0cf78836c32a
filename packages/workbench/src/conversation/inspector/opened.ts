import { withValues } from "../../addresses/paths.ts";
import type { SessionEntry } from "../../connection/session-entries.ts";

/** The tabs of the inspector. */
export const inspectorParts = ["content", "events", "context"] as const;
export type InspectorPart = (typeof inspectorParts)[number];

export interface OpenedPlace {
  /** An event of the entry. Undefined if the inspector is closed. */
  readonly seq: number | undefined;
  readonly part: InspectorPart;
}

/** Reads the state of the inspector from the URL, such as `?open=12&show=events`. */
export function readOpened(search: URLSearchParams): OpenedPlace {
  const seq = Number(search.get("open"));
  return {
    seq: Number.isSafeInteger(seq) && seq > 0 ? seq : undefined,
    part: inspectorParts.find((part) => part === search.get("show")) ?? "content",
  };
}

/** Returns the query parameters without the inspector, or with this state of it. Other parameters are kept. */
export function writeOpened(search: URLSearchParams, { seq, part }: OpenedPlace): URLSearchParams {
  return withValues(search, { open: seq, show: seq === undefined || part === "content" ? undefined : part });
}

/**
 * Returns the index of the entry that an event belongs to: the entry that the event began, the call in whose course it occurred, or the
 * text that was completed next. -1 if there is none.
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
