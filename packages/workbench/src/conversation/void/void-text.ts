import type { RunEvent } from "@bridle/protocol";

/** The text of a response before it was requested again, reconstructed from the earlier events. */
export interface VoidText {
  readonly text: string;
  /** Whether the events reach back to the beginning of the response. */
  readonly isWhole: boolean;
}

/** The void text of a response. `events` are those before its retry, in order, as many as are known. */
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
      parts.push(event.text); // it replaces its pieces
      open = "";
    }
  }
  return { text: [...parts, ...(open === "" ? [] : [open])].join("\n\n"), isWhole };
}
