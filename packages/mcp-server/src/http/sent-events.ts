import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";

interface SentEvent {
  readonly streamId: string;
  readonly message: JSONRPCMessage;
  readonly bytes: number;
}

/**
 * Keeps the last messages of one session, so that a client that reconnects receives the messages that it missed. The oldest messages are
 * dropped when there are too many.
 */
export class SentEvents implements EventStore {
  readonly #events = new Map<string, SentEvent>();
  readonly #max: { readonly events: number; readonly bytes: number };
  #bytes = 0;
  #next = 1;

  constructor(max: { readonly events: number; readonly bytes: number }) {
    this.#max = max;
  }

  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    const id = `${this.#next++}`;
    const bytes = Buffer.byteLength(JSON.stringify(message));
    this.#events.set(id, { streamId, message, bytes });
    this.#bytes += bytes;
    this.#forgetOldest();
    return id;
  }

  /** Whether the event is stored. False if it was dropped or never existed. */
  has(id: string): boolean {
    return this.#events.has(id);
  }

  /** Sends the events that followed an event on its stream. Returns the stream. */
  async replayEventsAfter(
    id: string,
    { send }: { send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const streamId = this.#events.get(id)?.streamId ?? "";
    const missed = [...this.#events].filter(
      ([other, event]) => Number(other) > Number(id) && event.streamId === streamId,
    );
    for (const [other, { message }] of missed) if (Object.keys(message).length > 0) await send(other, message);
    return streamId;
  }

  #forgetOldest(): void {
    for (const [id, { bytes }] of this.#events) {
      if (this.#events.size <= this.#max.events && this.#bytes <= this.#max.bytes) return;
      this.#events.delete(id);
      this.#bytes -= bytes;
    }
  }
}
