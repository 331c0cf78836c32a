import { fingerprintHistory, sha256 } from "@bridle/core";
import { type ConversationSpec, canonicalJson, type HistoryMessage, type Resumption } from "@bridle/protocol";
import type { AppServer } from "../process/app-server.ts";
import type { AcquiredServer } from "../process/servers.ts";
import { forgetThread, type HostThread } from "./thread.ts";

/** The maximum number of session threads that are kept. A process keeps each one in its memory. */
const maxHeld = 64;

interface HeldThread {
  readonly server: AppServer;
  readonly id: string;
  /** Identifies the options and the history that the thread has. */
  readonly key: string;
}

/** The thread in which a conversation continues, if any, and how the host got its history. */
export interface Continuation {
  readonly thread?: HostThread;
  readonly resumption?: Resumption;
}

/**
 * Keeps the threads of sessions until their next runs. A thread also contains the model's encrypted reasoning, which no history contains. A
 * run continues in a kept thread only if the thread contains exactly the history in the event log. A kept thread does not keep its process
 * alive.
 */
export class HeldThreads {
  /** The kept threads by session, the oldest first. */
  readonly #held = new Map<string, HeldThread>();

  /** Keeps a thread for the session's next run. */
  hold(session: string, { acquired, id }: HostThread, key: string): void {
    this.release(session);
    this.#held.set(session, { server: acquired.server, id, key });
    acquired.release();
    const [oldest] = this.#held.keys();
    if (this.#held.size > maxHeld && oldest !== undefined) this.release(oldest);
  }

  /** Takes the session's thread if it contains the history. `acquire` returns the running process, or a new one. */
  async take(spec: ConversationSpec, acquire: () => Promise<AcquiredServer>): Promise<Continuation> {
    const { session, history } = spec;
    if (session === undefined || history.length === 0) return {};
    const held = this.#held.get(session);
    if (!held) return { resumption: { resumed: "rebuilt", reason: "not-retained" } };
    if (held.key !== threadKey(spec, history)) {
      this.release(session);
      return { resumption: { resumed: "rebuilt", reason: "changed" } };
    }
    this.#held.delete(session);
    const acquired = await acquire();
    if (acquired.server === held.server)
      return { thread: { acquired, id: held.id }, resumption: { resumed: "native", reason: "fingerprint-matched" } };
    acquired.release();
    return { resumption: { resumed: "rebuilt", reason: held.server.isClosed ? "expired" : "died" } };
  }

  release(session: string): void {
    const held = this.#held.get(session);
    this.#held.delete(session);
    if (held) forgetThread(held.server, held.id);
  }
}

/**
 * Returns the key of a thread. Two keys are equal if a thread with the first would send the same requests as a new thread with the second.
 */
export function threadKey({ history: _, session: __, ...options }: ConversationSpec, held: readonly HistoryMessage[]) {
  return `${sha256(canonicalJson(options))} ${fingerprintHistory(held)}`;
}
