/** Ends the runs of processes that died. */
import type { DatabaseSync } from "node:sqlite";
import { describeInterruption, inTransaction } from "@bridle/core";
import { omitUndefined, type RunEvent } from "@bridle/protocol";
import { isAlive, type Leases, type Owner } from "./leases.ts";
import type { Reader } from "./reader.ts";
import type { Streams } from "./streams.ts";

interface RecoveryOptions {
  database: DatabaseSync;
  streams: Streams;
  leases: Leases;
  reader: Reader;
  now(): number;
}

export class Recovery {
  readonly #options: RecoveryOptions;

  constructor(options: RecoveryOptions) {
    this.#options = options;
  }

  /** Ends the open runs of a stream after its owner died, and releases the stream. Call it in a transaction. */
  close(stream: number, owner: Owner): void {
    const { streams, leases, reader, now } = this.#options;
    for (const runId of streams.openRuns(stream)) {
      const scope = omitUndefined({ runId, sessionId: streams.sessionOf(stream) });
      const time = now();
      for (const draft of describeInterruption(reader.eventsOfRun(stream, runId), `the process ${owner.pid}`)) {
        this.#append(stream, { seq: streams.lastSeq(stream) + 1, time, ...scope, ...draft });
      }
    }
    leases.release(stream);
  }

  #append(stream: number, event: RunEvent): void {
    const { streams } = this.#options;
    const { seq: _seq, time: _time, runId: _run, sessionId: _session, type, ...fields } = event;
    const { id } = streams.addRun(stream, event);
    streams.insert(stream, id, event, JSON.stringify(fields));
    streams.touch(stream, event);
    if (type === "run.finished") streams.end(id, event.seq);
  }

  /** Ends the open runs of all owners that died. */
  closeAll(): void {
    const { database, leases } = this.#options;
    for (const { stream, owner } of leases.all()) {
      if (isAlive(owner)) continue;
      inTransaction(database, () => {
        const isUnchanged = leases.holderOf(stream)?.token === owner.token; // another process may have ended the runs first
        if (isUnchanged) this.close(stream, owner);
      });
    }
  }
}
