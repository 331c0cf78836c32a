import { BridleRequestError, PlacedTranscript, type SessionTranscript } from "@bridle/client";
import type { RunEvent } from "@bridle/protocol";
import type { Server } from "./server.tsx";
import { Signal } from "./signal.ts";

export interface SessionState {
  readonly kind: "loading" | "ready" | "missing" | "failed";
  readonly error?: unknown;
  readonly transcript?: SessionTranscript;
}

/**
 * The live state of one session: its transcript, and the entries that are added to it. The state changes at most once per animation
 * frame, regardless of the number of events.
 */
export class SessionFeed {
  readonly state: Signal<SessionState> = new Signal<SessionState>({ kind: "loading" });
  readonly #server: Server;
  readonly #session: string;
  #builder = new PlacedTranscript();
  #end: (() => void) | undefined;
  #frame: number | undefined;
  #isEnded = false;

  constructor(server: Server, session: string) {
    this.#server = server;
    this.#session = session;
    void this.#load();
  }

  end(): void {
    this.#isEnded = true;
    this.#end?.();
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
  }

  /** Reads the session again. */
  reload(): void {
    this.#end?.();
    void this.#load();
  }

  async #load(): Promise<void> {
    try {
      const snapshot = await this.#server.client.transcript(this.#session);
      if (this.#isEnded) return;
      this.#builder = new PlacedTranscript(snapshot);
      this.#show();
      this.#end = this.#server.live.watch(this.#session, {
        after: this.#builder.seq,
        onEvents: (events) => this.#add(events),
        onLost: () => void this.#load(),
      });
    } catch (error) {
      if (this.#isEnded) return;
      const isMissing = error instanceof BridleRequestError && error.status === 404;
      this.state.set(isMissing ? { kind: "missing" } : { kind: "failed", error });
    }
  }

  #add(events: readonly RunEvent[]): void {
    let hasChanged = false;
    for (const event of events) hasChanged = this.#builder.add(event) || hasChanged;
    if (hasChanged) this.#frame ??= requestAnimationFrame(() => this.#show());
  }

  #show(): void {
    this.#frame = undefined;
    // the entry stays marked if the snapshot omitted text
    this.state.set({ kind: "ready", transcript: this.#builder.entries() });
  }
}
