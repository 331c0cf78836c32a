import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { runInOrder } from "./run-in-order.ts";

const never = () => false;

test("work starts in order, as many at a time as allowed", async () => {
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  await runInOrder([1, 2, 3, 4, 5, 6, 7], { parallel: 3, isOver: never }, async (item) => {
    begun.push(item);
    running += 1;
    most = Math.max(most, running);
    await setTimeout(item === 1 ? 30 : 5);
    running -= 1;
  });
  expect(begun).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(most).toBe(3);
});

test("nothing starts after the end, and running work is awaited", async () => {
  const begun: number[] = [];
  const ended: number[] = [];
  await runInOrder([1, 2, 3, 4], { parallel: 2, isOver: () => ended.length > 0 }, async (item) => {
    begun.push(item);
    await setTimeout(item * 10);
    ended.push(item);
  });
  expect(begun).toEqual([1, 2]);
  expect(ended).toEqual([1, 2]);
});

test("the first failure rejects after all work has ended, and nothing starts after it", async () => {
  const ended: number[] = [];
  const done = runInOrder([1, 2, 3], { parallel: 2, isOver: never }, async (item) => {
    await setTimeout(item * 10);
    if (item === 1) throw new Error("one");
    ended.push(item);
  });
  await expect(done).rejects.toThrow("one");
  expect(ended).toEqual([2]);
});
