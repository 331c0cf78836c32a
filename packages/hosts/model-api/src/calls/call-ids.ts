/** Makes the ids of tool calls unique. Hosts match results to calls by id, but some servers send no id, or the same id twice. */
import type { HistoryMessage } from "@bridle/protocol";
import { isToolCall } from "../prompt/history.ts";
import type { StepResponse } from "../response/step-reader.ts";

/** Makes the call ids of one conversation unique. */
export class CallIds {
  readonly #taken: Set<string>;
  /** For each id that came more than once, the number that was last added to it. */
  readonly #counts = new Map<string, number>();

  constructor(history: readonly HistoryMessage[]) {
    this.#taken = new Set(history.flatMap(({ content }) => content.filter(isToolCall).map(({ callId }) => callId)));
  }

  /** Returns the response with a unique id for each call. Ids that are not used yet are kept. */
  assign<Response extends Pick<StepResponse, "calls">>(response: Response): Response {
    return {
      ...response,
      calls: response.calls.map((call) => ({ ...call, callId: this.#take(call.callId), streamId: call.callId })),
    };
  }

  /** Returns a unique id that consists only of characters that every host accepts. */
  #take(id: string): string {
    let free = id || "call_1";
    let count = this.#counts.get(id) ?? 1;
    while (this.#taken.has(free)) {
      count += 1;
      free = `${id || "call"}_${count}`;
    }
    this.#counts.set(id, count);
    this.#taken.add(free);
    return free;
  }
}
