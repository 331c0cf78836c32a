import { BridleClient, BridleRequestError } from "@bridle/client";
import type { RunEvent } from "@bridle/protocol";
import type { LiveMessage, LiveState, ServerPlace, Topics } from "./live-messages.ts";

const topics = ["approvals", "runs"];
/** The delays before a rejected connection is opened again, in milliseconds. */
const [againMs, slowlyMs] = [250, 5000];
/** How long to wait for further sessions that can share the connection, in milliseconds. */
const gatherMs = 20;

/**
 * One connection to the server for everything that is watched. It is reopened when it breaks or when another session is watched, and then
 * continues after the newest event that was received.
 */
export class LiveStream {
  readonly #client: BridleClient;
  readonly #emit: (message: LiveMessage) => void;
  #places = new Map<string, number>();
  #current: AbortController | undefined;
  #state: LiveState = { kind: "connecting" };
  #isEnded = false;
  #change: ReturnType<typeof setTimeout> | undefined;

  constructor(place: ServerPlace, emit: (message: LiveMessage) => void) {
    this.#client = new BridleClient(place);
    this.#emit = emit;
    void this.#run();
  }

  get state(): LiveState {
    return this.#state;
  }

  /** Watches these sessions from these positions on, and no others. */
  watch(places: ReadonlyMap<string, number>): void {
    const isSame = places.size === this.#places.size && [...places].every(([id, after]) => this.#has(id, after));
    if (isSame) return;
    this.#places = new Map(
      [...places].map(([id, after]) => [id, this.#has(id, after) ? (this.#places.get(id) ?? after) : after]),
    );
    clearTimeout(this.#change);
    this.#change = setTimeout(() => this.#current?.abort(), gatherMs);
  }

  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#change);
    this.#current?.abort();
  }

  /** Whether the connection has reached, or will reach, this position of a session. */
  #has(session: string, after: number): boolean {
    const place = this.#places.get(session);
    return place !== undefined && place <= after;
  }

  /** Keeps a connection open. The client reopens a broken connection; this loop reopens it when the set of watched sessions changes. */
  async #run(): Promise<void> {
    while (!this.#isEnded) {
      const own = new AbortController();
      this.#current = own;
      try {
        await this.#follow(own.signal);
      } catch (error) {
        if (await this.#isRefused(error)) return;
      }
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const followed = { sessions: Object.fromEntries(this.#places), topics };
    const onConnection = (isOpen: boolean) => {
      if (!signal.aborted) this.#setState(isOpen ? { kind: "open" } : { kind: "gone", since: Date.now() });
    };
    for await (const { event, data } of this.#client.stream(followed, { signal, onConnection })) {
      if (signal.aborted) return;
      this.#take(event, JSON.parse(data));
    }
  }

  /** Whether retrying cannot succeed. */
  async #isRefused(error: unknown): Promise<boolean> {
    const { status, code } = error instanceof BridleRequestError ? error : { status: 0, code: "" };
    if (status === 401 || status === 403 || code === "too-many-tokens") {
      this.#setState({ kind: "forbidden" });
      return true;
    }
    const isLost = [404, 409, 410].includes(status);
    if (isLost) await this.#dropLost();
    await new Promise((done) => setTimeout(done, isLost ? againMs : slowlyMs)); // rejected requests must not be repeated in a tight loop
    return this.#isEnded;
  }

  #take(name: string | undefined, data: unknown): void {
    if (name === "approvals" || name === "runs") {
      const message = data as Topics; // has the type in the server's schema
      if (name === "approvals") this.#emit({ type: "approvals", approvals: message.approvals });
      else this.#emit({ type: "runs", runs: message.runs });
      return;
    }
    const event = data as RunEvent; // has the type in the event log
    const session = sessionOf(event);
    if (session === undefined) return;
    if (this.#places.get(session) === event.seq - 1) this.#places.set(session, event.seq); // otherwise the connection is being reopened
    this.#emit({ type: "events", session, events: [event] });
  }

  /** Finds the sessions that no longer exist on the server, so that the others can still be watched. */
  async #dropLost(): Promise<void> {
    const asked = [...this.#places.entries()];
    const known = await Promise.all(asked.map(([id, after]) => this.#knows(id, after)));
    const lost = asked.filter((_, index) => !known[index]).map(([id]) => id);
    for (const id of lost) this.#places.delete(id);
    if (lost.length > 0) this.#emit({ type: "lost", sessions: lost });
  }

  async #knows(session: string, after: number): Promise<boolean> {
    try {
      await this.#client.events(session, { after, limit: 1 });
      return true;
    } catch (error) {
      return !(error instanceof BridleRequestError && (error.status === 404 || error.status === 409));
    }
  }

  #setState(state: LiveState): void {
    if (state.kind === this.#state.kind) return;
    this.#state = state;
    this.#emit({ type: "state", state });
  }
}

function sessionOf(event: RunEvent): string | undefined {
  return "sessionId" in event && typeof event.sessionId === "string" ? event.sessionId : undefined;
}
