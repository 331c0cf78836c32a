import { Changes } from "@bridle/core";
import type { StreamScope } from "@bridle/protocol";
import type { SendStatement } from "../database/log-database.ts";
import { keyOf, nameOfKey, type StreamKey } from "../streams/stream-state.ts";

/** What was written: the stream, and the runs of the new events. */
export interface StreamChange {
  readonly key: StreamKey;
  readonly runIds: readonly string[];
}

/** The longest message that PostgreSQL sends to listeners, in bytes. */
const maxMessageLength = 7999;

/** Tells the listeners of all processes about a change, when the transaction is committed. */
export async function notifyListeners(send: SendStatement, change: StreamChange): Promise<void> {
  await send("SELECT pg_notify(current_schema(), $1)", [writeChange(change)]);
}

/** The names of a change as text. Empty if they are too long: then every follower looks. */
export function writeChange({ key, runIds }: StreamChange): string {
  const text = JSON.stringify([nameOfKey(key), ...runIds.map((runId) => nameOfKey({ kind: "run", name: runId }))]);
  return Buffer.byteLength(text) > maxMessageLength ? "" : text;
}

/** Those who follow a run or a session in this process. */
export class Followers {
  readonly #all = new Set<{ readonly name: string; readonly changes: Changes }>();

  get size(): number {
    return this.#all.size;
  }

  /** Adds a follower, with the function that removes it. */
  join(scope: StreamScope): { readonly changes: Changes; leave(): void } {
    const follower = { name: nameOfKey(keyOf(scope)), changes: new Changes() };
    this.#all.add(follower);
    return { changes: follower.changes, leave: () => void this.#all.delete(follower) };
  }

  /** Wakes those whom a change concerns; all if it is not known. */
  wake(change = ""): void {
    const names: unknown = change === "" ? undefined : JSON.parse(change);
    for (const { name, changes } of this.#all) {
      if (!Array.isArray(names) || names.includes(name)) changes.announce();
    }
  }
}
