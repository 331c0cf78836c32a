import type { DatabaseSync } from "node:sqlite";
import { endOfInterrupted, inTransaction } from "@bridle/core";
import type { RunEvent } from "@bridle/protocol";
import { isAlive, type Leases, type Owner } from "./leases.ts";
import type { Reader } from "./reader.ts";
import type { Streams } from "./streams.ts";

export interface Recovery {
  /** Ends the runs of a stream whose owner died, and frees it. Called within a transaction. */
  close(stream: number, owner: Owner): void;
  /** Closes all that dead owners left. */
  closeAll(): void;
}

export function createRecovery(
  database: DatabaseSync,
  { streams, leases, reader, now }: { streams: Streams; leases: Leases; reader: Reader; now(): number },
): Recovery {
  function close(stream: number, owner: Owner): void {
    for (const runId of streams.openRuns(stream)) {
      const { type, ...fields } = endOfInterrupted(reader.eventsOfRun(stream, runId), owner.pid);
      const event: RunEvent = { seq: streams.lastSeq(stream) + 1, time: now(), runId, type, ...fields };
      const { id } = streams.run(stream, event);
      streams.insert(stream, id, event, JSON.stringify(fields));
      streams.end(id, event.seq);
    }
    leases.release(stream);
  }

  function closeAll(): void {
    for (const { stream, owner } of leases.all()) {
      if (isAlive(owner)) continue;
      inTransaction(database, () => {
        if (leases.holderOf(stream)?.token === owner.token) close(stream, owner); // else somebody was quicker
      });
    }
  }

  return { close, closeAll };
}
