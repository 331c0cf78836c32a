import { expect, test } from "vitest";
import { InputQueue } from "./input-queue.ts";

async function all<T>(queue: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of queue) items.push(item);
  return items;
}

test("a reader gets items in their order, and then the end", async () => {
  const queue = new InputQueue<number>();
  queue.push(1);
  queue.push(2);
  queue.end();
  expect(await all(queue)).toEqual([1, 2]);
});

test("a reader waits for the next item", async () => {
  const queue = new InputQueue<string>();
  const reader = queue[Symbol.asyncIterator]();
  const first = reader.next();
  queue.push("late");
  expect(await first).toEqual({ done: false, value: "late" });
  const second = reader.next();
  queue.end();
  expect((await second).done).toBe(true);
});

test("items that are pushed between two reads are kept", async () => {
  const queue = new InputQueue<number>();
  const read = all(queue);
  for (const item of [1, 2, 3]) queue.push(item);
  await Promise.resolve();
  queue.push(4);
  queue.end();
  expect(await read).toEqual([1, 2, 3, 4]);
});

test("items that were read are dropped", async () => {
  const queue = new InputQueue<number>();
  queue.push(1);
  queue.end();
  expect(await all(queue)).toEqual([1]);
  expect(await all(queue)).toEqual([]);
});
