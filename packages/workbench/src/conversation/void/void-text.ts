import type { RunEvent } from "@bridle/protocol";

/** The text of a response before it was requested again, reconstructed from the earlier events. */
export interface VoidText {
  readonly text: string;
  /** Whether the events reach back to the beginning of the response. */
  readonly isWhole: boolean;
}

/** Returns the discarded text of a response. `events` are the known events before its retry, in order. */
export function voidTextOf(
  events: readonly RunEvent[],
  retry: { readonly seq: number; readonly runId: string },
): VoidText {
  const own = events.filter(({ seq, runId }) => seq < retry.seq && runId === retry.runId);
  const start = own.findLastIndex(({ type }) => type === "step.started" || type === "retry.scheduled");
  const isWhole = start >= 0 || (events[0]?.seq ?? 1) === 1;
  const parts: string[] = [];
  let open = "";
  for (const event of own.slice(start + 1)) {
    if (event.type === "text.delta") open += event.text;
    else if (event.type === "text.completed") {
      parts.push(event.text); // the completed text replaces its pieces
      open = "";
    }
  }
  return { text: [...parts, ...(open === "" ? [] : [open])].join("\n\n"), isWhole };
}
