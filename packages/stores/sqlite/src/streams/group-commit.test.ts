import { expect, test } from "vitest";
import { GroupCommit } from "./group-commit.ts";

/** Creates a group that counts its writes. Its disk is busy while `disk.idle` is set. */
function createGroup(streams = 1) {
  const disk: { idle: Promise<void> | undefined } = { idle: undefined };
  const counted = { writes: 0 };
  const write = () => {
    counted.writes += 1;
    return streams;
  };
  return { disk, counted, group: new GroupCommit({ disk, write }) };
}

test("many who wait in the same turn share one write", async () => {
  const { counted, group } = createGroup();
  await Promise.all(Array.from({ length: 100 }, () => group.written()));
  expect(counted.writes).toBe(1);
});

test("what nobody waits for is written, too, streamed text and other events at once", async () => {
  const { counted, group } = createGroup();
  group.request("text");
  group.request("event");
  expect(counted.writes).toBe(0);
  await expect.poll(() => counted.writes).toBe(1);
  group.request("text");
  await expect.poll(() => counted.writes).toBe(2);
});

test("a write waits for the end of a sync, or a moment if the sync is slow", async () => {
  const { disk, counted, group } = createGroup();
  const sync = Promise.withResolvers<void>();
  disk.idle = sync.promise;
  const written = group.written();
  await new Promise(setImmediate);
  expect(counted.writes).toBe(0);
  disk.idle = undefined;
  sync.resolve();
  await written;
  disk.idle = new Promise(() => {});
  await group.written();
  expect(counted.writes).toBe(2);
});

test("a group that writes much at a time rests in between, and those who wait are served", async () => {
  const { counted, group } = createGroup(1000);
  await group.written();
  const next = group.written();
  await new Promise(setImmediate);
  expect(counted.writes).toBe(1);
  await next;
  expect(counted.writes).toBe(2);
});

test("in a pause only writeNow writes, and everything is written after it", async () => {
  const { counted, group } = createGroup();
  const work = Promise.withResolvers<void>();
  const pause = group.pauseDuring(work.promise);
  group.request("event");
  const written = group.written();
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(counted.writes).toBe(0);
  group.writeNow();
  await written;
  expect(counted.writes).toBe(1);
  const later = group.written();
  work.resolve();
  await Promise.all([pause, later]);
  expect(counted.writes).toBe(2);
});

test("a pause whose work fails ends, too", async () => {
  const { counted, group } = createGroup();
  const pause = group.pauseDuring(Promise.reject(new Error("no thread")));
  const written = group.written();
  await expect(pause).rejects.toThrow("no thread");
  await written;
  expect(counted.writes).toBe(1);
});
