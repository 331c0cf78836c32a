import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { AnswerWatch } from "./answer-watch.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Opens a watch over these answers, and collects the ids that each read asks for. */
function openWatch(watchOthers?: (look: () => void) => () => void) {
  const answers = new Set<string>();
  const reads: (readonly string[])[] = [];
  const watch = new AnswerWatch({
    async answered(ids) {
      reads.push(ids);
      return ids.filter((id) => answers.has(id));
    },
    watchOthers,
  });
  return { answers, reads, watch };
}

async function countReads(questions: number): Promise<number> {
  const { reads, watch } = openWatch();
  const stops = Array.from({ length: questions }, (_, at) => watch.add(String(at), { onAnswer() {} }));
  await vi.advanceTimersByTimeAsync(10_000);
  const count = reads.length;
  for (const stop of stops) stop();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(reads).toHaveLength(count);
  expect(vi.getTimerCount()).toBe(0);
  return count;
}

test("50 questions that wait cause as many reads as one, and none when nobody waits", async () => {
  const one = await countReads(1);
  expect(one).toBeGreaterThan(30);
  expect(await countReads(50)).toBe(one);
});

test("an answer of another process arrives within 300 ms", async () => {
  const { answers, watch } = openWatch();
  const told: number[] = [];
  watch.add("a", { onAnswer: () => told.push(Date.now()) });
  const stop = watch.add("b", { onAnswer: () => told.push(Date.now()) });
  await vi.advanceTimersByTimeAsync(1003);
  answers.add("a");
  const answeredAt = Date.now();
  await vi.advanceTimersByTimeAsync(300);
  expect(told).toEqual([expect.any(Number)]);
  expect((told[0] ?? 0) - answeredAt).toBeLessThanOrEqual(300);
  stop();
});

test("an answer of this process arrives at once", () => {
  const { reads, watch } = openWatch();
  const told: string[] = [];
  watch.add("a", { onAnswer: () => told.push("a") });
  watch.announce("a");
  watch.announce("a");
  expect([told, reads.length, vi.getTimerCount()]).toEqual([["a"], 0, 0]);
});

test("a log that announces answers is read when it does", async () => {
  let look = () => {};
  let isWatched = false;
  const { answers, reads, watch } = openWatch((next) => {
    look = next;
    isWatched = true;
    return () => {
      isWatched = false;
    };
  });
  const told: string[] = [];
  watch.add("a", { onAnswer: () => told.push("a") });
  await vi.advanceTimersByTimeAsync(10_000);
  expect([isWatched, reads.length]).toEqual([true, 1]);
  answers.add("a");
  look();
  await vi.advanceTimersByTimeAsync(0);
  expect([told, isWatched, reads.length]).toEqual([["a"], false, 2]);
});

test("after a failed read whose listener throws, the next read finds the answer", async () => {
  let look = () => {};
  let isBroken = true;
  const watch = new AnswerWatch({
    answered: async (ids) => (isBroken ? Promise.reject(new Error("The log is away.")) : ids),
    watchOthers: (next) => {
      look = next;
      return () => {};
    },
  });
  const thrown: unknown[] = [];
  const onThrown = (error: unknown) => void thrown.push(error);
  process.on("unhandledRejection", onThrown);
  onTestFinished(() => void process.off("unhandledRejection", onThrown));
  const told: string[] = [];
  const onFailure = () => {
    throw new Error("The listener failed.");
  };
  watch.add("a", { onAnswer: () => told.push("a"), onFailure });
  await vi.advanceTimersByTimeAsync(100);
  isBroken = false;
  look();
  await vi.advanceTimersByTimeAsync(0);
  expect(told).toEqual(["a"]);
});
