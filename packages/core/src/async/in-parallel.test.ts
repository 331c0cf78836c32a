import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { forEachInParallel, inParallel } from "./in-parallel.ts";

describe("inParallel", () => {
  test("returns the results in the order of the items, whichever ends first", async () => {
    const double = async (ms: number) => {
      await sleep(ms);
      return ms * 2;
    };
    expect(await inParallel([20, 1, 10], { parallel: 3 }, double)).toEqual([40, 2, 20]);
  });

  test("rejects with the first failure, after the others are aborted and have ended, and starts nothing more", async () => {
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
    await expect(inParallel(["slow", "bad", "later"], { parallel: 2 }, work)).rejects.toThrow("no room");
    expect(begun).toEqual(["slow", "bad"]);
    expect(ended).toEqual(["slow"]);
  });

  test("rejects with the reason of an aborted signal, and starts nothing", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    let begun = 0;
    await expect(inParallel([1], { parallel: 1, signal }, async () => begun++)).rejects.toThrow("enough");
    expect(begun).toBe(0);
  });
});

describe("forEachInParallel", () => {
  test("starts the work in order, and only the given number of items at a time", async () => {
    const begun: number[] = [];
    let now = 0;
    let max = 0;
    await forEachInParallel([1, 2, 3, 4, 5, 6, 7], { parallel: 3 }, async (item) => {
      begun.push(item);
      now += 1;
      max = Math.max(max, now);
      await sleep(item === 1 ? 30 : 5);
      now -= 1;
    });
    expect(begun).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(max).toBe(3);
  });

  test("starts nothing once it is over, and awaits the work in progress", async () => {
    const begun: number[] = [];
    const ended: number[] = [];
    await forEachInParallel([1, 2, 3, 4], { parallel: 2, isOver: () => ended.length > 0 }, async (item) => {
      begun.push(item);
      await sleep(item * 10);
      ended.push(item);
    });
    expect(begun).toEqual([1, 2]);
    expect(ended).toEqual([1, 2]);
  });

  test("rejects with the first failure after work that ignores the signal has ended, and starts nothing more", async () => {
    const ended: number[] = [];
    const done = forEachInParallel([1, 2, 3], { parallel: 2 }, async (item) => {
      await sleep(item * 10);
      if (item === 1) throw new Error("one");
      ended.push(item);
    });
    await expect(done).rejects.toThrow("one");
    expect(ended).toEqual([2]);
  });
});
