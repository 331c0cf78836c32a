import type { DatabaseSync } from "node:sqlite";
import {
  createEventRedaction,
  type EventDraft,
  type EventRecord,
  type Redactor,
  type RunEvent,
  type RunPlace,
  StoreBusyError,
} from "@bridle/core";
import { isAlive, type Leases, type Owner } from "./leases.ts";
import type { Recovery } from "./recovery.ts";
import type { Streams } from "./streams.ts";
import { inTransaction } from "./transaction.ts";

/** How long a piece of streamed text may be in memory only, in milliseconds. */
const deltaMs = 50;

/** So many pieces are not in memory only, however fast they come. */
const mostUnwritten = 1000;

export interface Writer extends Required<Pick<EventRecord, "append" | "claim">> {
  /** Writes what is in memory only, if that can be done now; else the next append tries again, and tells. */
  settle(): void;
  /** What happens with a stream that nobody may write meanwhile; throws where somebody does. */
  alone<T>(stream: number, name: string, work: () => T): T;
  close(): void;
}

export interface WriterServices {
  database: DatabaseSync;
  file: string;
  streams: Streams;
  leases: Leases;
  recovery: Recovery;
  owner: Owner;
  redactor: Redactor;
  now(): number;
}

interface HeldStream {
  readonly id: number;
  readonly name: string;
  lastSeq: number;
  /** Runs that go on, and their ids. */
  open: ReadonlyMap<string, number>;
  /** Somebody here has it for a run that is to begin. */
  isClaimed: boolean;
}

interface Unwritten {
  readonly stream: HeldStream;
  readonly event: RunEvent;
  readonly fields: string;
}

/**
 * Puts events on disk. A stream is held from its first event on, or from a claim, until none of its runs goes on: `seq`
 * is counted in memory meanwhile, and whoever else wants to write it is told.
 */
export function createWriter(services: WriterServices): Writer {
  const { database, file, streams, leases, recovery, owner, now } = services;
  const redact = createEventRedaction(services.redactor);
  const held = new Map<string, HeldStream>();
  let unwritten: Unwritten[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isFailing = false;
  let isDurable = false;

  function hold(place: RunPlace): HeldStream {
    const key = place.sessionId === undefined ? `run ${place.runId}` : `session ${place.sessionId}`;
    const known = held.get(key);
    if (known) return known;
    const stream = inTransaction(database, () => {
      const id = streams.idOf(place);
      refuseOthers(id, key);
      leases.take(id, owner);
      return { id, name: key, lastSeq: streams.lastSeq(id), open: new Map(), isClaimed: false };
    });
    held.set(key, stream);
    return stream;
  }

  function claim(sessionId: string): () => void {
    write(false); // the end of a run may be owed
    const stream = hold({ runId: "", sessionId });
    if (stream.isClaimed || stream.open.size > 0) throw busy(stream.name, process.pid);
    stream.isClaimed = true;
    return () => giveBack(stream);
  }

  /** Without a run there is no event that gives it back. Where that cannot be written it stays here, for the next claim. */
  function giveBack(stream: HeldStream): void {
    stream.isClaimed = false;
    if (held.get(stream.name) !== stream || stream.open.size > 0 || !database.isOpen) return;
    if (unwritten.some((each) => each.stream === stream)) return;
    try {
      inTransaction(database, () => leases.release(stream.id));
    } catch {
      return;
    }
    held.delete(stream.name);
  }

  /** A holder that died is closed first. */
  function refuseOthers(stream: number, name: string): void {
    const holder = leases.holderOf(stream);
    if (holder === undefined || holder.token === owner.token) return;
    if (isAlive(holder)) throw busy(name, holder.pid);
    recovery.close(stream, holder);
  }

  function busy(name: string, pid: number): StoreBusyError {
    const where = pid === process.pid ? "this process, by another runtime" : `the process ${pid}`;
    const message = `The ${name} is in use in ${where}. Wait until its run has ended, or use another.`;
    return new StoreBusyError(message, file, { holder: pid });
  }

  function append(place: RunPlace, given: EventDraft, durable: boolean): RunEvent {
    const stream = hold(place);
    const { type, ...fields } = redact(place.runId, given);
    const text = JSON.stringify(fields);
    const { runId, sessionId } = place;
    const event = {
      ...{ seq: stream.lastSeq + 1, time: now(), runId, ...(sessionId !== undefined && { sessionId }) },
      ...{ type, ...fields },
    } as RunEvent; // the draft's own fields, in its place
    stream.lastSeq = event.seq;
    unwritten.push({ stream, event, fields: text });
    if (isDelta(event) && !durable && !isFailing && unwritten.length < mostUnwritten) schedule();
    else writeOrTakeBack(event, durable);
    return event;
  }

  /** An end is owed: it stays, and is written as soon as it can be. */
  function writeOrTakeBack(event: RunEvent, durable: boolean): void {
    try {
      write(durable);
    } catch (error) {
      const last = unwritten.at(-1);
      if (event.type !== "run.finished" && last?.event === event) {
        unwritten.pop();
        last.stream.lastSeq -= 1;
      }
      throw error;
    }
  }

  function schedule(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      settle();
    }, deltaMs);
  }

  function settle(): void {
    try {
      write(false);
    } catch {
      isFailing = true;
    }
  }

  function write(durable: boolean): void {
    clearTimeout(timer);
    timer = undefined;
    if (unwritten.length === 0) return;
    setDurable(durable);
    const changes = inTransaction(database, writeAll);
    for (const [stream, open] of changes) {
      stream.open = open;
      if (open.size === 0) held.delete(stream.name);
    }
    unwritten = [];
    isFailing = false;
  }

  /** What runs go on in each stream afterwards; a stream in which none does is released. */
  function writeAll(): Map<HeldStream, Map<string, number>> {
    const changes = new Map<HeldStream, Map<string, number>>();
    for (const { stream, event, fields } of unwritten) {
      const open = changes.get(stream) ?? new Map(requireHeld(stream).open);
      changes.set(stream, open);
      writeOne(stream.id, open, event, fields);
    }
    for (const [{ id }, open] of changes) if (open.size === 0) leases.release(id);
    return changes;
  }

  function writeOne(stream: number, open: Map<string, number>, event: RunEvent, fields: string): void {
    const known = open.get(event.runId);
    const run = known === undefined ? streams.run(stream, event) : { id: known, ended: false };
    streams.insert(stream, run.id, event, fields);
    if (event.type === "run.finished") open.delete(event.runId);
    else if (!run.ended) open.set(event.runId, run.id);
    if (run.ended || event.type === "run.finished") streams.end(run.id, event.seq);
  }

  /** A process that was taken for dead, as on a machine that slept, has lost what it did not write. */
  function requireHeld(stream: HeldStream): HeldStream {
    const holder = leases.holderOf(stream.id);
    if (holder?.token === owner.token) return stream;
    unwritten = unwritten.filter((each) => each.stream !== stream);
    held.delete(stream.name);
    throw busy(stream.name, holder?.pid ?? process.pid);
  }

  /** With FULL a commit outlives a power cut, and with NORMAL only the end of the process. */
  function setDurable(durable: boolean): void {
    if (durable === isDurable) return;
    database.exec(`PRAGMA synchronous = ${durable ? "FULL" : "NORMAL"}`);
    isDurable = durable;
  }

  return {
    claim,
    append: (place, draft, { durable = false } = {}) => append(place, draft, durable),
    settle,
    alone(stream, name, work) {
      write(false);
      return inTransaction(database, () => {
        refuseOthers(stream, name);
        const own = held.get(name);
        if (own !== undefined) throw busy(name, process.pid);
        return work();
      });
    },
    close() {
      write(true);
      clearTimeout(timer);
    },
  };
}

function isDelta({ type }: RunEvent): boolean {
  return type === "text.delta" || type === "reasoning.delta";
}
