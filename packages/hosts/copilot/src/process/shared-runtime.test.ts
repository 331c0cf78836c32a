import { BackendCrashError, StoppedError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { SharedRuntime } from "./shared-runtime.ts";

test("if a start fails while the runtime is closed, no other process is started for those who wait", async () => {
  const starting = Promise.withResolvers<never>();
  let starts = 0;
  const runtime = new SharedRuntime({}, () => {
    starts += 1;
    return starting.promise;
  });
  const waiting = Promise.allSettled([runtime.acquire(), runtime.acquire()]);
  const closed = runtime.close();
  starting.reject(new BackendCrashError("It did not start."));
  const [first, second] = await waiting;
  await closed;
  expect(first).toMatchObject({ reason: expect.any(BackendCrashError) });
  expect(second).toMatchObject({ reason: expect.any(StoppedError) });
  expect(starts).toBe(1);
});
