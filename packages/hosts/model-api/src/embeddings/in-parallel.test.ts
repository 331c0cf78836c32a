import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { inParallel } from "./in-parallel.ts";

const never = new AbortController().signal;

test("results are in the order of the items, whichever ends first", async () => {
  const double = async (ms: number) => {
    await sleep(ms);
    return ms * 2;
  };
  expect(await inParallel([20, 1, 10], 3, never, double)).toEqual([40, 2, 20]);
});

test("the given number of items run at a time, and no more", async () => {
  let now = 0;
  let most = 0;
  await inParallel(Array.from({ length: 20 }), 3, never, async () => {
    now += 1;
    most = Math.max(most, now);
    await sleep(1);
    now -= 1;
  });
  expect(most).toBe(3);
});

test("the first failure rejects, after the others are aborted and have ended, and nothing more starts", async () => {
  const begun: string[] = [];
  const ended: string[] = [];
  const work = async (item: string, signal: AbortSignal) => {
    begun.push(item);
    if (item === "bad") throw new Error("no room");
    await sleep(60_000, undefined, { signal }).catch(() => {});
    await sleep(5);
    ended.push(item);
    throw new Error("aborted");
  };
  await expect(inParallel(["slow", "bad", "later"], 2, never, work)).rejects.toThrow("no room");
  expect(begun).toEqual(["slow", "bad"]);
  expect(ended).toEqual(["slow"]);
});

test("it rejects with the reason of an aborted signal", async () => {
  const signal = AbortSignal.abort(new Error("enough"));
  await expect(inParallel([1], 1, signal, async () => 1)).rejects.toThrow("enough");
});
