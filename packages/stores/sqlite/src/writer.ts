import { createEventRedaction, inTransaction, type Redactor } from "@bridle/core";
import type { EventDraft, EventLog, RunEvent, RunScope } from "@bridle/protocol";
import { createHeldStreams, type HeldStream, type HeldStreamServices } from "./held-streams.ts";

/** How long a piece of streamed text may be in memory only, in milliseconds. */
const deltaMs = 50;

/** So many pieces are not in memory only, however fast they come. */
const mostUnwritten = 1000;

export interface Writer extends Required<Pick<EventLog, "append" | "claim">> {
  /** Writes what is in memory only, if that can be done now; else the next append tries again, and tells. */
  settle(): void;
  /** What happens with a stream that nobody may write meanwhile; throws where somebody does. */
  alone<T>(stream: number, name: string, work: () => T): T;
  close(): void;
}

export interface WriterServices extends HeldStreamServices {
  redactor: Redactor;
  now(): number;
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
  const { database, streams, leases, owner, now } = services;
  const redact = createEventRedaction(services.redactor);
  const held = createHeldStreams(services);
  let unwritten: Unwritten[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isFailing = false;
  let isDurable = false;

  function claim(sessionId: string): () => void {
    write(false); // the end of a run may be owed
    const stream = held.claim(sessionId);
    return () =>
      held.giveBack(
        stream,
        unwritten.some((each) => each.stream === stream),
      );
  }

  function append(place: RunScope, given: EventDraft, durable: boolean): RunEvent {
    const stream = held.hold(place);
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
      if (open.size === 0) held.drop(stream);
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
    held.drop(stream);
    throw held.busy(stream.name, holder?.pid ?? process.pid);
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
        held.refuseOthers(stream, name);
        if (held.has(name)) throw held.busy(name, process.pid);
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
