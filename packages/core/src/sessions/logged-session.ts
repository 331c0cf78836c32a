import type { EventLog, RunEvent, SessionSnapshot } from "@bridle/protocol";
import { isSameEvent } from "./event-identity.ts";
import { SessionState } from "./session-state.ts";
import { leaveOutDeltas, withoutDeltas } from "./without-deltas.ts";

/** The minimum number of events between two snapshots. */
const snapshotEvents = 1000;

type SessionLog = Pick<EventLog, "read" | "redact" | "snapshots" | "addSnapshot">;

/**
 * Derives the state of an open session from its log. Events of the session's own runs count immediately; `refresh` reads those of other
 * processes. A refresh drops events that are not in the log, for example after a lost lease.
 */
export class LoggedSession {
  readonly #id: string;
  readonly #eventLog: SessionLog;
  #state = new SessionState();
  /** Whether all events must be read again, because an event changes the settled state or is missing. */
  #isStale = false;
  /** Events of the current run that are not part of the state yet, or that a newly derived state would lack. */
  #unread: RunEvent[] = [];
  #writesSnapshots = true;
  /** The newest operation on the log. Operations run one after another, so that each event is added once. */
  #working: Promise<unknown> = Promise.resolve();
  #works = 0;

  constructor(id: string, eventLog: SessionLog) {
    this.#id = id;
    this.#eventLog = eventLog;
  }

  get state(): SessionState {
    this.#addUnread();
    if (this.#works === 0) this.#unread = [];
    return this.#state;
  }

  /** Takes an event of one of the session's own runs. */
  observe(event: RunEvent): void {
    this.#unread.push(event);
  }

  /** Continues from the snapshots of the session. Call `open` before any other method. */
  async open(): Promise<void> {
    this.#state = SessionState.from(await this.#eventLog.snapshots(this.#id));
    await this.refresh();
  }

  /** Reads new events in the log. */
  refresh(): Promise<void> {
    return this.#inOrder(() => this.#refresh());
  }

  /** Derives the state from all events, without snapshots. */
  readAll(): Promise<void> {
    return this.#inOrder(() => this.#readAll());
  }

  /** Stores a snapshot if enough events followed the last one, and all of them are in the log. Call it after a run. Never rejects. */
  async addSnapshot(): Promise<void> {
    try {
      const snapshot = await this.#inOrder(() => this.#settle());
      if (snapshot) this.#writesSnapshots = await this.#eventLog.addSnapshot(this.#id, snapshot);
    } catch {
      this.#writesSnapshots = false; // the events have the same content
    }
  }

  async #refresh(): Promise<void> {
    if (!(await this.#hasLoggedState())) this.#isStale = true;
    if (!this.#isStale) await this.#readNew();
    if (this.#isStale) await this.#readAll();
  }

  async #readNew(): Promise<void> {
    for await (const event of withoutDeltas(this.#eventLog, this.#id, this.#state.lastSeq + 1)) this.#add(event);
  }

  async #readAll(): Promise<void> {
    const state = new SessionState();
    for await (const event of withoutDeltas(this.#eventLog, this.#id)) state.add(event);
    this.#state = state;
    this.#isStale = false;
  }

  async #settle(): Promise<SessionSnapshot | undefined> {
    const { lastSeq, settledSeq } = this.#state;
    if (!this.#writesSnapshots || lastSeq - settledSeq < snapshotEvents) return undefined;
    return !this.#isStale && (await this.#hasLoggedState()) ? this.#state.settle(this.#eventLog.redact) : undefined;
  }

  /** Whether the newest event is in the log. If so, all earlier events are too, because a log has no gaps. */
  async #hasLoggedState(): Promise<boolean> {
    const { newest } = this.#state;
    if (newest === undefined) return true;
    const [logged] = await this.#eventLog.read({ sessionId: this.#id, from: newest.seq, limit: 1 });
    return logged !== undefined && isSameEvent(logged, newest);
  }

  /** Adds the events that the current run has reported. If an event before them is missing, the log is read again. */
  #addUnread(): void {
    const { lastSeq } = this.#state;
    const events = this.#unread.filter(({ seq }) => seq > lastSeq);
    if ((events[0]?.seq ?? 0) > lastSeq + 1) this.#isStale = true;
    for (const event of leaveOutDeltas(events)) this.#add(event);
  }

  #add(event: RunEvent): void {
    if (event.seq > this.#state.lastSeq && !this.#state.add(event)) this.#isStale = true;
  }

  async #inOrder<T>(work: () => Promise<T>): Promise<T> {
    this.#works += 1;
    const done = this.#working.then(() => {
      this.#addUnread();
      this.#unread = []; // the events that are in the log are read from it
      return work();
    });
    this.#working = done.catch(() => {});
    try {
      return await done;
    } finally {
      this.#works -= 1;
    }
  }
}
