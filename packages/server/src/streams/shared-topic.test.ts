import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { SharedTopic } from "./shared-topic.ts";

/** A polling interval far longer than a test, for topics that are read only once. */
const never = 3_600_000;

function follow(topic: SharedTopic): AsyncGenerator<string> {
  const leave = new AbortController();
  onTestFinished(() => leave.abort());
  return topic.follow(leave.signal);
}

test("a topic that hundred viewers follow is read once for all of them", async () => {
  let reads = 0;
  const topic = new SharedTopic(async () => String(++reads), never);
  const viewers = Array.from({ length: 100 }, () => follow(topic));
  const seen = await Promise.all(viewers.map(async (viewer) => (await viewer.next()).value));
  expect(new Set(seen)).toEqual(new Set(["1"]));
  expect((await follow(topic).next()).value).toBe("1");
  expect(reads).toBe(1);
});

test("a topic is sent again when it has changed, and only then", async () => {
  const texts = ["a", "a", "b", "b", "c"];
  const topic = new SharedTopic(async () => texts.shift() ?? "c", 1);
  const viewer = follow(topic);
  expect([await viewer.next(), await viewer.next(), await viewer.next()].map(({ value }) => value)).toEqual([
    "a",
    "b",
    "c",
  ]);
});

test("a topic that nobody follows any more is not read, and read anew for the next viewer", async () => {
  let reads = 0;
  const topic = new SharedTopic(async () => String(++reads), 0);
  const first = follow(topic);
  await first.next();
  await first.return(undefined);
  const before = reads;
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
  expect(reads).toBe(before);
  expect((await follow(topic).next()).value).toBe(String(before + 1));
});

test("a topic that cannot be read fails for its viewers, and the next viewer reads it again", async () => {
  let reads = 0;
  const read = async () => {
    reads += 1;
    if (reads === 1) throw new Error("the log is busy");
    return "a";
  };
  const topic = new SharedTopic(read, never);
  const viewers = [follow(topic), follow(topic)].map((viewer) => viewer.next());
  for (const viewer of viewers) await expect(viewer).rejects.toThrow("the log is busy");
  expect((await follow(topic).next()).value).toBe("a");
});
