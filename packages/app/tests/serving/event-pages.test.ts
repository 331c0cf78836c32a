import { setImmediate } from "node:timers/promises";
import { createMemoryEventLog } from "@bridle/core";
import type { EventLog, RunEvent } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import { SessionViewers } from "../../src/serving/event-pages.ts";
import { SessionRemovedError } from "../../src/serving/index.ts";

/** Writes this many events of a run into the session. Creates the session if it does not exist. */
async function write(eventLog: EventLog, runId: string, count: number, sessionId = "s"): Promise<void> {
  const writer = await eventLog.openWriter({ sessionId });
  for (let index = 0; index < count; index += 1) {
    writer.append(runId, { type: "notice", level: "info", code: "test", message: `${runId} ${index}` });
  }
  await writer.close();
}

function view(viewers: SessionViewers, after = 0, sessionId = "s"): AsyncIterator<readonly RunEvent[]> {
  const leave = new AbortController();
  onTestFinished(() => leave.abort());
  return viewers.follow(sessionId, after, leave.signal)[Symbol.asyncIterator]();
}

test.each([2, 5, 9])("a session that is removed and begun again with %i events ends for its viewer", async (count) => {
  const eventLog = createMemoryEventLog();
  await write(eventLog, "run_1", 5);
  const viewer = view(new SessionViewers(eventLog));
  expect((await viewer.next()).value).toHaveLength(5);
  const next = viewer.next();
  await eventLog.removeSession("s");
  await write(eventLog, "run_2", count);
  await expect(next).rejects.toThrow(SessionRemovedError);
});

test("a removal that is noted ends the viewer of a session that nobody begins again", async () => {
  const eventLog = createMemoryEventLog();
  await write(eventLog, "run_1", 5);
  const viewers = new SessionViewers(eventLog);
  const viewer = view(viewers, 3);
  expect((await viewer.next()).value).toHaveLength(2);
  const next = viewer.next();
  await eventLog.removeSession("s");
  viewers.noteRemoval("s");
  await expect(next).rejects.toThrow(SessionRemovedError);
  expect(viewers.isInUse).toBe(false);
});

test("a viewer that comes back after a read that failed gets its page, although others follow the session", async () => {
  const eventLog = createMemoryEventLog();
  await write(eventLog, "run_1", 5);
  let failures = 0;
  const read: EventLog["read"] = (query) => {
    if (failures === 0 || query.last !== undefined) return eventLog.read(query);
    failures -= 1;
    return Promise.reject(new Error("the log is busy"));
  };
  const viewers = new SessionViewers({ read, follow: eventLog.follow });
  const other = view(viewers);
  expect((await other.next()).value).toHaveLength(5);
  failures = 1;
  await expect(view(viewers, 2).next()).rejects.toThrow("the log is busy");
  expect((await view(viewers, 2).next()).value).toHaveLength(3);
  const next = other.next();
  await write(eventLog, "run_2", 1);
  expect((await next).value).toHaveLength(1);
});

test("viewers see new events although the follower of their session has failed", async () => {
  const eventLog = createMemoryEventLog();
  await write(eventLog, "run_1", 1);
  let failures = 1;
  const follow: EventLog["follow"] = async function* (query, signal) {
    failures -= 1;
    if (failures >= 0) throw new Error("the log is busy");
    yield* eventLog.follow(query, signal);
  };
  const viewers = new SessionViewers({ read: eventLog.read, follow });
  const viewer = view(viewers);
  expect((await viewer.next()).value).toHaveLength(1);
  const next = viewer.next();
  await write(eventLog, "run_1", 2);
  expect((await next).value).toHaveLength(2);
});

test("viewers that begin one after another share what they read of a long session", async () => {
  const eventLog = createMemoryEventLog();
  await write(eventLog, "run_1", 10_000);
  let reads = 0;
  const read: EventLog["read"] = (query) => {
    reads += 1;
    return eventLog.read(query);
  };
  const viewers = new SessionViewers({ read, follow: eventLog.follow });
  const readAll = async (viewer: AsyncIterator<readonly RunEvent[]>) => {
    for (let seen = 0; seen < 10_000; ) seen += (await viewer.next()).value.length;
  };
  const reading = [];
  for (let count = 0; count < 20; count += 1) {
    reading.push(readAll(view(viewers)));
    for (let round = 0; round < 3; round += 1) await setImmediate();
  }
  await Promise.all(reading);
  expect(reads).toBeLessThan(3 * 50); // without sharing, each viewer would read 50 pages
});

test("viewers of many long sessions leave the others their turn: one reads between two rounds of the event loop", async () => {
  const eventLog = createMemoryEventLog();
  const names = Array.from({ length: 10 }, (_, index) => `s${index}`);
  for (const name of names) await write(eventLog, "run_1", 2000, name);
  let reads = 0;
  const read: EventLog["read"] = (query) => {
    if ((query.from ?? 0) > 1) reads += 1;
    return eventLog.read(query);
  };
  const viewers = new SessionViewers({ read, follow: eventLog.follow });
  const readAll = async (viewer: AsyncIterator<readonly RunEvent[]>) => {
    for (let seen = 0; seen < 2000; ) seen += (await viewer.next()).value.length;
  };
  let isOver = false;
  const all = Promise.all(names.map((name) => readAll(view(viewers, 0, name)))).then(() => {
    isOver = true;
  });
  let max = 0;
  for (; !isOver; reads = 0) {
    await setImmediate();
    max = Math.max(max, reads);
  }
  await all;
  expect(max).toBeLessThanOrEqual(2);
});
