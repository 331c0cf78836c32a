import { Changes } from "@bridle/core";
import type { StreamScope } from "@bridle/protocol";
import type { SendStatement } from "../database/log-database.ts";
import { keyOf, nameOfKey, type StreamKey } from "../database/stream-state.ts";

/** A change: the stream, and the runs of the new events. */
export interface StreamChange {
  readonly key: StreamKey;
  readonly runIds: readonly string[];
}

/** The maximum length of a message that PostgreSQL sends to listeners, in bytes. */
const maxMessageLength = 7999;

/** Notifies the listeners of all processes about a change, as soon as the transaction is committed. */
export async function notifyListeners(send: SendStatement, change: StreamChange): Promise<void> {
  await send("SELECT pg_notify(current_schema(), $1)", [writeChange(change)]);
}

/** The name that a message contains if a question was answered. */
const answersName = "answers";

/** Notifies the processes with waiting runs about an answer, as soon as the transaction is committed. */
export async function notifyOfAnswer(send: SendStatement): Promise<void> {
  await send("SELECT pg_notify(current_schema(), $1)", [JSON.stringify([answersName])]);
}

/** Writes the names of a change as a string. Returns an empty string if the names are too long; every follower then checks for changes. */
export function writeChange({ key, runIds }: StreamChange): string {
  const text = JSON.stringify([nameOfKey(key), ...runIds.map((runId) => nameOfKey({ kind: "run", name: runId }))]);
  return Buffer.byteLength(text) > maxMessageLength ? "" : text;
}

interface Follower {
  readonly name: string;
  wake(): void;
}

/** The followers of runs and sessions in this process, and the callers that wait for answers. */
export class Followers {
  readonly #all = new Set<Follower>();

  get size(): number {
    return this.#all.size;
  }

  /** Adds a follower. `leave` removes it. */
  join(scope: StreamScope): { readonly changes: Changes; leave(): void } {
    const changes = new Changes();
    return { changes, leave: this.#add({ name: nameOfKey(keyOf(scope)), wake: () => changes.announce() }) };
  }

  /** Calls `look` whenever a question may have been answered, until the returned function is called. */
  joinAnswers(look: () => void): () => void {
    return this.#add({ name: answersName, wake: look });
  }

  #add(follower: Follower): () => void {
    this.#all.add(follower);
    return () => void this.#all.delete(follower);
  }

  /**
   * Wakes the followers that a change concerns, or all of them if the change is unknown. Any user of the database can send such a message,
   * so its contents are not trusted.
   */
  wake(change = ""): void {
    const names = readNames(change);
    for (const follower of this.#all) if (names?.includes(follower.name) ?? true) follower.wake();
  }
}

function readNames(change: string): readonly unknown[] | undefined {
  try {
    const names: unknown = JSON.parse(change);
    return Array.isArray(names) ? names : undefined;
  } catch {
    return undefined;
  }
}
