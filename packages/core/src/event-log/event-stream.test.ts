import { expect, test } from "vitest";
import { createEventStream, type EventStream } from "./event-stream.ts";

test("every consumer gets every event from the first, whenever the consumer starts", async () => {
  const stream = createEventStream<number>();
  const early = collect(stream);
  stream.push(1);
  const between = collect(stream);
  await Promise.resolve();
  stream.push(2);
  stream.end();
  const late = collect(stream);
  expect(await Promise.all([early, between, late])).toEqual([
    [1, 2],
    [1, 2],
    [1, 2],
  ]);
});

test("a consumer that leaves, at once or during a wait, does not disturb the others", async () => {
  const stream = createEventStream<number>();
  const staying = collect(stream);
  stream.push(1);
  for await (const _ of stream) break;
  const waiting = stream[Symbol.asyncIterator]();
  await waiting.next();
  void waiting.next();
  void waiting.return?.();
  stream.push(2);
  stream.end();
  expect(await staying).toEqual([1, 2]);
});

test("nothing is added after the end, and a second end changes nothing", async () => {
  const stream = createEventStream<number>();
  stream.push(1);
  stream.end();
  stream.push(2);
  stream.end();
  expect(await collect(stream)).toEqual([1]);
});

test("an empty stream ends", async () => {
  const stream = createEventStream<number>();
  setTimeout(() => stream.end(), 5);
  expect(await collect(stream)).toEqual([]);
});

test("a hundred thousand events reach three consumers within two seconds", async () => {
  const stream = createEventStream<number>();
  const consumers = [count(stream), count(stream), count(stream)];
  const before = performance.now();
  for (let event = 0; event < 100_000; event++) {
    stream.push(event);
    if (event % 100 === 0) await undefined;
  }
  stream.end();
  expect(await Promise.all(consumers)).toEqual([100_000, 100_000, 100_000]);
  expect(performance.now() - before).toBeLessThan(3000);
});

async function collect(stream: EventStream<number>): Promise<number[]> {
  const events: number[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

async function count(stream: EventStream<number>): Promise<number> {
  let events = 0;
  for await (const _ of stream) events += 1;
  return events;
}
