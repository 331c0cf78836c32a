import { AuthenticationError, NetworkError, OverloadedError, RateLimitError, TimeoutError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { delayBefore, realPauses } from "./retry.ts";

const ask = (error: Error, headers: Record<string, string> = {}, random = 1) => ({
  error: error as never,
  headers,
  random,
});

test.each([new NetworkError("x"), new RateLimitError("x"), new OverloadedError("x")])(
  "a request that failed with %s is sent again",
  (error) => {
    expect(delayBefore(2, ask(error))).toBe(500);
  },
);

test.each([new AuthenticationError("x"), new TimeoutError("x")])(
  "a request that failed with %s is not sent again",
  (error) => {
    expect(delayBefore(2, ask(error))).toBeUndefined();
  },
);

test("pauses double up to eight seconds, and vary within their upper half", () => {
  const error = new OverloadedError("x");
  expect([2, 3, 4, 5, 6, 9].map((next) => delayBefore(next, ask(error)))).toEqual([500, 1000, 2000, 4000, 8000, 8000]);
  expect(delayBefore(3, ask(error, {}, 0))).toBe(500);
});

test("retry-after may be a date, and an invalid value is ignored", () => {
  const error = new RateLimitError("x");
  expect(delayBefore(2, ask(error, { "retry-after": new Date(Date.now() - 5000).toUTCString() }))).toBe(0);
  expect(delayBefore(2, ask(error, { "retry-after": "soon" }))).toBe(500);
  expect(delayBefore(2, ask(error, { "retry-after": "61" }))).toBeUndefined();
});

test("a pause ends when its signal is aborted", async () => {
  await expect(realPauses.wait(60_000, AbortSignal.timeout(20))).rejects.toThrow();
  await expect(realPauses.wait(60_000, AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
  await expect(realPauses.wait(1, new AbortController().signal)).resolves.toBeUndefined();
});
