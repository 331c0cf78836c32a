import type { StreamEvent } from "./protocol.ts";

export const sseContentType = "text/event-stream; charset=utf-8";

/** What a stream tells, before it is put into the frames of a wire. */
export interface Part<T> {
  readonly value: T;
  /** True for a piece of the answer's text. */
  readonly isPiece: boolean;
}

export interface NamedValue {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A server-sent event without a name. */
export function dataEvent({ value, isPiece }: Part<unknown>): StreamEvent {
  return { data: `data: ${JSON.stringify(value)}\n\n`, isPiece };
}

/** A server-sent event that has the `type` of its value as its name. */
export function namedEvent({ value, isPiece }: Part<NamedValue>): StreamEvent {
  return { data: `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`, isPiece };
}

/** Puts the parts of a stream into the frames of a wire. */
export function* inFrames<T>(parts: Iterable<Part<T>>, frame: (part: Part<T>) => StreamEvent): Generator<StreamEvent> {
  for (const part of parts) yield frame(part);
}
