import type { Resumption } from "@bridle/protocol";
import type { PoolEntry } from "./entry.ts";
import { type ProcessRequest, rebuiltResumption } from "./process-source.ts";

type Reason = Resumption["reason"];

/** For how many sessions the reason of the loss is remembered. The oldest loss is forgotten first. */
const rememberedSessions = 256;

/** Knows which processes hold the conversation of a session, and why a session has lost its process. */
export class SessionAffinity {
  readonly #entries: ReadonlyMap<unknown, PoolEntry>;
  readonly #lostReasons = new Map<string, Reason>();

  /** Watches a pool. `entries` are its processes. */
  constructor(entries: ReadonlyMap<unknown, PoolEntry>) {
    this.#entries = entries;
  }

  /** Returns the processes that hold the conversation of `session`. */
  entriesOf(session = ""): PoolEntry[] {
    return [...this.#entries.values()].filter(({ hasAffinity, owner }) => hasAffinity && owner === session);
  }

  /** Returns how the conversation of a request continues, given the process that was found for it, if any. */
  explain({ spec }: ProcessRequest, found: PoolEntry | undefined): Resumption | undefined {
    if (!found?.hasAffinity) return rebuiltResumption(spec, this.#reasonToRebuild(spec.session));
    if (found.owner !== spec.session) this.noteLost(found, "reassigned"); // one of the two sessions is a fork of the other
    return { resumed: "native", reason: "fingerprint-matched" };
  }

  noteHeld({ owner = "" }: PoolEntry): void {
    this.#lostReasons.delete(owner);
  }

  noteLost({ owner, hasAffinity }: PoolEntry, reason: Reason): void {
    if (!hasAffinity || owner === undefined) return;
    this.#lostReasons.delete(owner);
    this.#lostReasons.set(owner, reason);
    const [oldest] = this.#lostReasons.keys();
    if (this.#lostReasons.size > rememberedSessions && oldest !== undefined) this.#lostReasons.delete(oldest);
  }

  #reasonToRebuild(session: string | undefined): Reason {
    if (this.entriesOf(session).length > 0) return "changed";
    return this.#lostReasons.get(session ?? "") ?? "not-retained";
  }
}
