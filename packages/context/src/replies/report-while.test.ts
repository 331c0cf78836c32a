import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { reportWhile } from "./report-while.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("work that takes long is reported after a second, then ever more rarely, and not after its end", async () => {
  const work = Promise.withResolvers<string>();
  const messages: string[] = [];
  const done = reportWhile(
    work.promise,
    (message) => messages.push(message),
    (seconds) => `${seconds} s`,
  );
  await vi.advanceTimersByTimeAsync(999);
  expect(messages).toEqual([]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(messages).toEqual(["1 s", "3 s", "7 s", "15 s", "31 s", "47 s"]);
  work.resolve("done");
  expect(await done).toBe("done");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(messages).toHaveLength(6);
});

test("work that fails is not reported any more, and its error is thrown", async () => {
  const messages: string[] = [];
  const progress = (message: string) => messages.push(message);
  await expect(reportWhile(Promise.reject(new Error("no network")), progress, String)).rejects.toThrow("no network");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(messages).toEqual([]);
});
