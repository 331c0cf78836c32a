import { callIds, type HistoryMessage } from "@bridle/protocol";
import type { SnapshotContent } from "./snapshot-content.ts";

/** A history's messages that no later event can change, with the ids of their calls. */
export class SettledHistory {
  readonly #messages: HistoryMessage[] = [];
  readonly #calls = new Set<string>();

  static from(snapshots: readonly SnapshotContent[]): SettledHistory {
    const history = new SettledHistory();
    const first = snapshots.findLastIndex(({ isReplaced }) => isReplaced);
    for (const { calls, readMessages } of snapshots.slice(Math.max(0, first))) {
      for (const message of readMessages()) history.#messages.push(message);
      for (const id of calls) history.#calls.add(id);
    }
    return history;
  }

  get messages(): readonly HistoryMessage[] {
    return this.#messages;
  }

  get calls(): ReadonlySet<string> {
    return this.#calls;
  }

  add(messages: readonly HistoryMessage[]): void {
    for (const message of messages) this.#messages.push(message);
    for (const id of callIds(messages)) this.#calls.add(id);
  }
}
