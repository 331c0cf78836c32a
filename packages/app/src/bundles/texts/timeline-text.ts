import { isDelta, type RunEvent } from "@bridle/protocol";
import type { TextSink } from "../archive/spool-file.ts";
import { formatOffset, short } from "./run-words.ts";

/** Writes all events except text deltas, one per line, with the time since the start of the run. */
export class TimelineText {
  readonly #sink: TextSink;
  #startedAt: number | undefined;

  constructor(sink: TextSink) {
    this.#sink = sink;
  }

  add(event: RunEvent): void {
    this.#startedAt ??= event.time;
    if (event.type === "run.started") this.#startedAt = event.time;
    if (isDelta(event)) return;
    const { type, seq, time, runId: _runId, sessionId: _sessionId, ...fields } = event;
    const position = `${String(seq).padStart(6)}  ${formatOffset(time - this.#startedAt).padStart(12)}`;
    this.#sink.add(`${position}  ${type}  ${short(JSON.stringify(fields), 300)}\n`);
  }
}
