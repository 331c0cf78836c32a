import type { StreamEvent } from "./protocol.ts";

export const sseContentType = "text/event-stream; charset=utf-8";

/** A part of a stream before it is framed for a protocol. */
export interface SsePart<T> {
  readonly value: T;
  /** Whether the part is a piece of the answer's text. */
  readonly isPiece: boolean;
}

export interface NamedValue {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Returns a server-sent event without a name. */
export function dataEvent({ value, isPiece }: SsePart<unknown>): StreamEvent {
  return { data: `data: ${JSON.stringify(value)}\n\n`, isPiece };
}

/** Returns a server-sent event whose name is the `type` of its value. */
export function namedEvent({ value, isPiece }: SsePart<NamedValue>): StreamEvent {
  return { data: `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`, isPiece };
}

/** Yields the parts of a stream as framed events. */
export function* inFrames<T>(
  parts: Iterable<SsePart<T>>,
  frame: (part: SsePart<T>) => StreamEvent,
): Generator<StreamEvent> {
  for (const part of parts) yield frame(part);
}
