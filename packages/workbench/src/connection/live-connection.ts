import type { RunEvent } from "@bridle/protocol";
import type { LiveMessage, LiveState, ServerPlace, TabMessage, Topics } from "./live-messages.ts";
import { LiveStream } from "./live-stream.ts";
import workerAddress from "./live-worker.ts?sharedworker&url";
import { Signal } from "./signal.ts";
import { TabPlaces } from "./tab-places.ts";
import { trustedWorkerAddress } from "./trusted-worker.ts";

/** The delay before a worker that failed to load is loaded again, in milliseconds. */
const againMs = 1000;

export interface SessionWatcher {
  /** The newest event that the watcher has received. */
  readonly after: number;
  onEvents(events: readonly RunEvent[]): void;
  /** Called if the server no longer has the session at this position. The watcher then has to read the session again. */
  onLost(): void;
}

/** Live updates from the server. All tabs of the browser share one connection if the browser supports it. */
export class LiveConnection {
  readonly state: Signal<LiveState> = new Signal<LiveState>({ kind: "connecting" });
  readonly approvals: Signal<Topics["approvals"] | undefined> = new Signal<Topics["approvals"] | undefined>(undefined);
  readonly runs: Signal<Topics["runs"] | undefined> = new Signal<Topics["runs"] | undefined>(undefined);
  readonly #watchers = new Map<string, Map<SessionWatcher, number>>();
  readonly #send: (message: TabMessage) => void;

  constructor(place: ServerPlace) {
    this.#send = typeof SharedWorker === "undefined" ? this.#openOwn(place) : this.#openShared(place);
  }

  /** Returns a function that stops watching. */
  watch(session: string, watcher: SessionWatcher): () => void {
    const watchers = this.#watchers.get(session) ?? new Map<SessionWatcher, number>();
    this.#watchers.set(session, watchers.set(watcher, watcher.after));
    this.#announce();
    return () => {
      watchers.delete(watcher);
      if (watchers.size === 0) this.#watchers.delete(session);
      this.#announce();
    };
  }

  #announce(): void {
    const sessions = [...this.#watchers].map(([id, watchers]) => [id, Math.min(...watchers.values())] as const);
    this.#send({ type: "watch", sessions: Object.fromEntries(sessions) });
  }

  #receive(message: LiveMessage): void {
    switch (message.type) {
      case "approvals":
        this.approvals.set(message.approvals);
        return;
      case "runs":
        this.runs.set(message.runs);
        return;
      case "state":
        this.state.set(message.state);
        return;
      case "lost":
        for (const id of message.sessions) this.#lose(id);
        return;
      case "events":
        this.#spread(message.session, message.events);
        return;
    }
  }

  /** Passes on only events that the watcher does not have yet, because the connection is shared. */
  #spread(session: string, events: readonly RunEvent[]): void {
    const watchers = this.#watchers.get(session);
    if (watchers === undefined) return;
    for (const [watcher, last] of watchers) {
      const fresh = events.filter(({ seq }) => seq > last);
      const [first] = fresh;
      if (first === undefined) continue;
      if (first.seq > last + 1) {
        this.#announce(); // announces the position again to get the missing events
        continue;
      }
      watchers.set(watcher, fresh.at(-1)?.seq ?? last);
      watcher.onEvents(fresh);
    }
  }

  #lose(session: string): void {
    const watchers = this.#watchers.get(session);
    this.#watchers.delete(session);
    for (const watcher of watchers?.keys() ?? []) watcher.onLost();
  }

  #openShared(place: ServerPlace): (message: TabMessage) => void {
    const address = trustedWorkerAddress(workerAddress);
    const start = (): SharedWorker => {
      const worker = new SharedWorker(address, { type: "module", name: nameOf(place) });
      worker.port.onmessage = ({ data }: MessageEvent<LiveMessage>) => this.#receive(data);
      worker.onerror = () => setTimeout(startAgain, againMs); // the server stopped before the worker was loaded
      return worker;
    };
    let worker = start();
    const send = (message: TabMessage) => worker.port.postMessage(message);
    const open = () => {
      send({ type: "open", place });
      this.#announce();
    };
    const startAgain = () => {
      this.#lacksServer();
      worker = start();
      open();
    };
    send({ type: "open", place });
    addEventListener("pagehide", () => send({ type: "close" }));
    addEventListener("pageshow", ({ persisted }) => {
      if (persisted) open();
    });
    return send;
  }

  #lacksServer(): void {
    if (this.state.get().kind !== "gone") this.state.set({ kind: "gone", since: Date.now() });
  }

  /** Without shared workers, this tab opens its own connection while it is visible. */
  #openOwn(place: ServerPlace): (message: TabMessage) => void {
    const own = new TabPlaces<LiveConnection>();
    let stream: LiveStream | undefined;
    const take = (message: LiveMessage) => {
      if (message.type === "events")
        own.reach(message.session, message.events[0]?.seq ?? 0, message.events.at(-1)?.seq ?? 0);
      this.#receive(message);
    };
    const follow = () => {
      stream?.end();
      stream = document.hidden ? undefined : new LiveStream(place, take);
      stream?.watch(own.places());
    };
    document.addEventListener("visibilitychange", follow);
    follow();
    return (message) => {
      if (message.type === "watch") own.set(this, message.sessions);
      stream?.watch(own.places());
    };
  }
}

/** Returns the name of the connection. Tabs with another token, such as that of another user, use a separate connection. */
function nameOf({ url, token }: ServerPlace): string {
  let hash = 0;
  for (const character of token) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0;
  return `bridle ${url} ${hash}`;
}
