import { RateLimitError } from "@bridle/protocol";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { accountLimiterFor } from "./account-limiter.ts";
import type { Permit } from "./permit.ts";
import { arrive, minute, start, tick, use, usedUp, waiting } from "./runs-for-tests.ts";

beforeEach(() => void vi.useFakeTimers({ now: start }));
afterEach(() => void vi.useRealTimers());

describe("runs of one account", () => {
  test("share its permits across runtimes, and the smallest bound of the open runtimes applies", async () => {
    const wide = use({ limits: { maxConcurrency: 3 } });
    const narrow = use({ limits: { maxConcurrency: 1 } });
    const runs = [wide, narrow, wide].map(arrive);
    const other = arrive(use({}, "bob"));
    await tick();
    expect([...runs, other].map(({ told }) => told.length)).toEqual([1, 0, 0, 1]);
    narrow.close();
    await tick();
    expect(runs.map(({ told }) => told)).toEqual([["entered"], ["StoppedError"], ["entered"]]);
  });

  test("that leave the queue stop at once, and free no permit", async () => {
    const limiter = use({ limits: { maxConcurrency: 1 } });
    const [first, second, third] = [arrive(limiter), arrive(limiter), arrive(limiter)];
    second.permit.leave();
    await tick();
    expect([first, second, third].map(({ told }) => told)).toEqual([["entered"], ["StoppedError"], []]);
    await expect(second.permit.enter()).rejects.toThrow("stopped");
    first.permit.leave();
    await tick();
    expect(third.told).toEqual(["entered"]);
  });

  test("that wait for a person leave their permits to others, and continue when they have them again", async () => {
    const limiter = use({ limits: { maxConcurrency: 1 } });
    const [asks, next] = [arrive(limiter), arrive(limiter)];
    await tick();
    const [answer, other] = [asks.permit.rest(), asks.permit.rest()];
    await tick();
    expect([asks, next].map(({ told }) => told)).toEqual([["entered"], ["entered"]]);
    const resumed: string[] = [];
    await answer(); // the other question is still open
    void other().then(() => resumed.push("resumed"));
    await tick();
    expect(resumed).toEqual([]);
    next.permit.leave();
    await tick();
    expect(resumed).toEqual(["resumed"]);
    const third = arrive(limiter);
    await tick();
    expect(third.told).toEqual([]);
  });

  test("that are asked again while they wait for their permits keep none", async () => {
    const limiter = use({ limits: { maxConcurrency: 1 } });
    const [asks, next, third] = [arrive(limiter), arrive(limiter), arrive(limiter)];
    await tick();
    const answer = asks.permit.rest();
    await tick();
    const resumed = answer();
    const again = asks.permit.rest();
    next.permit.leave();
    await resumed;
    await tick();
    expect(third.told).toEqual(["entered"]);
    third.permit.leave();
    await again();
  });

  test("that end while they wait for a person free nothing that they do not have", async () => {
    const limiter = use({ limits: { maxConcurrency: 1 } });
    const [asks, next, third] = [arrive(limiter), arrive(limiter), arrive(limiter)];
    await tick();
    const answer = asks.permit.rest();
    await tick();
    asks.permit.leave();
    await tick();
    await expect(answer()).rejects.toThrow("stopped");
    expect([next, third].map(({ told }) => told)).toEqual([["entered"], []]);
  });

  test("that end with a RateLimitError halve its permits", async () => {
    const limiter = use({ limits: { maxConcurrency: 2 } });
    const [first, second, third] = [arrive(limiter), arrive(limiter), arrive(limiter)];
    first.permit.leave(new RateLimitError("Slow down."));
    await tick();
    expect(third.told).toEqual([]);
    second.permit.leave();
    await tick();
    expect(third.told).toEqual(["entered"]);
  });

  test("are forgotten with the last limiter of the account", async () => {
    const limiter = use({ limits: { maxConcurrency: 2 } });
    arrive(limiter).permit.warned();
    limiter.close();
    const again = use({ limits: { maxConcurrency: 2 } });
    limiter.close();
    const runs = [arrive(again), arrive(again)];
    await tick();
    expect(runs.map(({ told }) => told)).toEqual([["entered"], ["entered"]]);
  });

  test("with invalid limits are refused", () => {
    for (const limits of [
      { maxConcurrency: 0 },
      { maxConcurrency: 1.5 },
      { maxWaitMs: 0 },
      { maxWaitMs: Number.NaN },
    ]) {
      expect(() => accountLimiterFor("ada", { limits })).toThrow(/limits\.max\w+ is .* must be/);
    }
    expect(() => accountLimiterFor("ada", { limits: { onUsageLimit: "later" as "wait" } })).toThrow("wait or fail");
  });
});

describe("a run that is refused by a used-up window", () => {
  test("fails with the host's error if its runtime does not wait", async () => {
    const { refuse, told } = arrive(use());
    await tick();
    await refuse(usedUp(minute));
    expect(told).toEqual(["entered", "UsageLimitError"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("reports the wait at once and periodically, and continues shortly after the reset", async () => {
    const { refuse, told } = arrive(use(waiting()));
    await tick();
    void refuse(usedUp(75_000));
    await tick(75_000);
    expect(told).toEqual(["entered", 75_000, 45_000, 15_000]);
    await tick(999);
    expect(told).toHaveLength(4);
    await tick(1);
    expect(told.slice(4)).toEqual(["five_hour cleared", "again"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("frees its permit for runs that do not wait, and holds runs that wait", async () => {
    const patient = use(waiting({ maxConcurrency: 1 }));
    const hasty = use({ limits: { maxConcurrency: 1 } });
    const refused = arrive(patient);
    await tick();
    void refused.refuse(usedUp(minute));
    const [asks, held] = [arrive(hasty), arrive(patient)];
    await tick();
    expect([asks, held].map(({ told }) => told)).toEqual([["entered"], [minute]]);
  });

  test("continues at once when the host answers a run that asked later", async () => {
    const refused = arrive(use(waiting()));
    await tick();
    void refused.refuse(usedUp(minute));
    const asks = arrive(use());
    asks.permit.answered();
    await tick();
    expect(refused.told).toEqual(["entered", minute, "five_hour cleared", "again"]);
  });

  test("fails at once if the total wait would exceed its maximum", async () => {
    const limiter = use(waiting({ maxWaitMs: 100_000 }));
    const [first, queued] = [arrive(limiter), arrive(limiter)];
    await tick();
    void first.refuse(usedUp(60_000));
    await tick(61_000);
    void first.refuse(usedUp(61_000 + 50_000));
    void queued.refuse(usedUp(61_000 + 90_000));
    await tick();
    expect(first.told.slice(-2)).toEqual(["again", "UsageLimitError"]);
    expect(queued.told).toEqual(["entered", 90_000]);
    const late = arrive(use(waiting({ maxWaitMs: 1000 })));
    await tick();
    expect(late.told).toEqual(["UsageLimitError"]);
    await expect(use(waiting({ maxWaitMs: 1000 })).run(async () => 1)).rejects.toMatchObject({
      message: expect.stringMatching(/five_hour .*opens again in 2 minutes .*maxWaitMs allows \(1000 ms\)/),
      resetsAt: new Date(start + 151_000),
      window: "five_hour",
    });
  });

  test("asks again after a doubling delay if the reset is unknown, one run for all", async () => {
    const limiter = use(waiting());
    const [first, second] = [arrive(limiter), arrive(limiter)];
    await tick();
    void first.refuse(usedUp());
    void second.refuse(usedUp());
    await tick(30_000);
    expect([first.told.at(-1), second.told.at(-1)]).toEqual(["again", 0]);
    void first.refuse(usedUp(10_000));
    await tick(59_999);
    expect(first.told.at(-1)).not.toBe("again");
    await tick(1);
    expect([first.told.at(-1), second.told.at(-1)]).toEqual(["again", 0]);
    first.permit.answered();
    await tick();
    expect(second.told.slice(-2)).toEqual(["five_hour cleared", "again"]);
  });

  test("does not wait forever for a run that asks and gets no answer", async () => {
    const limiter = use(waiting({ maxWaitMs: 100_000 }));
    const [asks, waits] = [arrive(limiter), arrive(limiter)];
    await tick();
    void asks.refuse(usedUp());
    void waits.refuse(usedUp());
    await tick(90_000);
    expect(waits.told.at(-1)).toBe(0);
    await tick(30_000);
    expect([asks.told.at(-1), waits.told.at(-1)]).toEqual(["again", "UsageLimitError"]);
  });

  test("lets the next run ask if it ends before an answer", async () => {
    const limiter = use(waiting());
    const [first, second] = [arrive(limiter), arrive(limiter)];
    await tick();
    void first.refuse(usedUp());
    void second.refuse(usedUp());
    await tick(30_000);
    first.permit.leave(new Error("something else"));
    await tick();
    expect(second.told.at(-1)).toBe("again");
  });

  test("ends at once if its permit is released, without a timer left", async () => {
    const { refuse, told, permit } = arrive(use(waiting()));
    await tick();
    void refuse(usedUp(minute));
    permit.leave();
    await tick();
    expect(told).toEqual(["entered", minute, "StoppedError"]);
    expect(vi.getTimerCount()).toBe(0);
    await expect(permit.awaitLimit(usedUp(minute))).rejects.toThrow("stopped");
  });

  test("ends if its listener releases the permit, even at the end of the wait", async () => {
    const limiter = use(waiting());
    const permit: Permit = limiter.permit({ onCleared: () => permit.leave() });
    await permit.enter();
    const again = permit.awaitLimit(usedUp(1000));
    const expected = expect(again).rejects.toThrow("stopped");
    await tick(5000);
    await expected;
  });
});

describe("work that the limiter runs", () => {
  test("runs in its turn, and again after a used-up window", async () => {
    const limiter = use(waiting({ maxConcurrency: 1 }));
    const work = vi.fn(async () => "vectors").mockRejectedValueOnce(usedUp(minute));
    const done = [limiter.run(work), limiter.run(async () => "second")];
    await tick(minute + 1000);
    expect(await Promise.all(done)).toEqual(["vectors", "second"]);
    expect(work).toHaveBeenCalledTimes(2);
  });

  test("rejects with its own error, and frees its permit", async () => {
    const limiter = use({ limits: { maxConcurrency: 1 } });
    await expect(limiter.run(() => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(await limiter.run(async () => 1)).toBe(1);
  });

  test("does not start once its signal is aborted", async () => {
    const limiter = use({ limits: { maxConcurrency: 1 } });
    const blocked = limiter.permit();
    await blocked.enter();
    const stop = new AbortController();
    const work = vi.fn(async () => 1);
    const queued = expect(limiter.run(work, stop.signal)).rejects.toMatchObject({ code: "stopped" });
    stop.abort();
    await queued;
    await expect(limiter.run(work, stop.signal)).rejects.toMatchObject({ code: "stopped" });
    blocked.leave();
    expect(work).not.toHaveBeenCalled();
  });

  test("inside other work of the account borrows that permit, one at a time", async () => {
    const limiter = use({ limits: { maxConcurrency: 1 } });
    let max = 0;
    let now = 0;
    const inner = () =>
      limiter.run(async () => {
        max = Math.max(max, ++now);
        await tick(5);
        now -= 1;
        return limiter.run(async () => "deep");
      });
    expect(await limiter.run(() => Promise.all([inner(), inner()]))).toEqual(["deep", "deep"]);
    expect(max).toBe(1);
  });
});
