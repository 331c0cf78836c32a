/** Tests how processes and machines with the same account share used-up windows. */
import { type SharedLimits, silentLogger, type UsageLimitError } from "@bridle/protocol";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { sha256 } from "../system/hash.ts";
import { Account } from "./account.ts";
import { accountLimiterFor } from "./account-limiter.ts";
import { KnownWindows, readUsedUpWindow } from "./known-windows.ts";
import { resolveLimitOptions } from "./limit-options.ts";
import { createMemoryLimits } from "./memory-limits.ts";
import type { PermitListener } from "./permit.ts";
import { arrive, minute, start, tick, use, usedUp, waiting } from "./runs-for-tests.ts";

beforeEach(() => void vi.useFakeTimers({ now: start }));
afterEach(() => void vi.useRealTimers());

describe("a process that starts while a window is used up", () => {
  /** Creates the limits that an earlier process has stored. */
  async function refusedBefore(error: UsageLimitError, options = waiting()): Promise<SharedLimits> {
    const sharedLimits = createMemoryLimits();
    const before = accountLimiterFor("ada", { sharedLimits, ...options });
    const { refuse } = arrive(before);
    await tick();
    void refuse(error);
    await tick();
    await before.close();
    return sharedLimits;
  }

  test("waits from the start, without a request", async () => {
    const sharedLimits = await refusedBefore(usedUp(minute));
    await tick(10_000);
    const { told, permit } = arrive(use({ ...waiting(), sharedLimits }));
    await tick();
    expect(told).toEqual([50_000]);
    await tick(51_000);
    expect(told.slice(-2)).toEqual(["five_hour cleared", "entered"]);
    expect(await readUsedUpWindow(sharedLimits, "ada", 0)).toBeDefined();
    permit.answered();
    await tick();
    expect(await readUsedUpWindow(sharedLimits, "ada", 0)).toBeUndefined();
  });

  test("fails without a request if it may not wait so long", async () => {
    const sharedLimits = await refusedBefore(usedUp(minute));
    const { told } = arrive(use({ ...waiting({ maxWaitMs: 1000 }), sharedLimits }));
    await tick();
    expect(told).toEqual(["UsageLimitError"]);
  });

  test("asks if its runtime does not wait, and an answer ends the wait of all current and later runs", async () => {
    const sharedLimits = await refusedBefore(usedUp(minute), {});
    expect(await readUsedUpWindow(sharedLimits, "ada")).toEqual({ window: "five_hour", resetsAt: start + minute });
    const waits = arrive(use({ ...waiting(), sharedLimits }));
    const asks = arrive(use({ sharedLimits }));
    await tick();
    expect([asks, waits].map(({ told }) => told)).toEqual([["entered"], [minute]]);
    asks.permit.answered();
    await tick();
    expect(waits.told.at(-1)).toBe("entered");
    expect(await readUsedUpWindow(sharedLimits, "ada")).toBeUndefined();
  });

  test("asks if the window has opened meanwhile", async () => {
    const sharedLimits = await refusedBefore(usedUp(minute));
    await tick(2 * minute);
    const { told } = arrive(use({ ...waiting(), sharedLimits }));
    await tick();
    expect(told).toEqual(["entered"]);
  });

  test("asks if the reset of the window is unknown", async () => {
    const sharedLimits = await refusedBefore(usedUp());
    const { told } = arrive(use({ ...waiting(), sharedLimits }));
    await tick();
    expect(told).toEqual(["entered"]);
  });

  test("asks if what other processes know cannot be read, and warns", async () => {
    const warn = vi.fn();
    const fails = () => Promise.reject(new Error("gone"));
    const sharedLimits: SharedLimits = { read: fails, replace: fails };
    const { told, refuse } = arrive(use({ sharedLimits, logger: { ...silentLogger, warn } }));
    await tick();
    await refuse(usedUp(minute));
    expect(told).toEqual(["entered", "UsageLimitError"]);
    expect(warn.mock.calls.map(([, message]) => message)).toEqual([
      "the state of a usage limit could not be read in the event log",
      "the state of a usage limit could not be written in the event log",
    ]);
  });
});

test("a used-up window is shared through the event logs of all runtimes of the account that are open", async () => {
  const [one, other, closed] = [createMemoryLimits(), createMemoryLimits(), createMemoryLimits()];
  await use({ sharedLimits: closed }).close();
  const { refuse } = arrive(use({ sharedLimits: one }));
  use({ sharedLimits: other });
  await tick();
  await refuse(usedUp(minute));
  const known = await Promise.all([one, other, closed].map((limits) => readUsedUpWindow(limits, "ada")));
  expect(known.map((window) => window?.resetsAt)).toEqual([start + minute, start + minute, undefined]);
});

describe("machines that share an account, with clocks that differ", () => {
  /** Creates a machine whose clock is ahead by `aheadMs`, or behind if the number is negative. */
  function machine(sharedLimits: SharedLimits, aheadMs: number) {
    const account = new Account({ now: () => Date.now() + aheadMs, random: () => 0 });
    const known = new KnownWindows(sharedLimits, "ada");
    account.setMax(4);
    account.join(known);
    const limits = { ...resolveLimitOptions(), onUsageLimit: "wait" } as const;
    return { permit: (listener?: PermitListener) => account.permit(limits, listener ?? {}, known) };
  }

  async function refusedOn(refusing: ReturnType<typeof machine>, ms: number) {
    const run = arrive(refusing);
    await tick();
    void run.refuse(usedUp(ms));
    await tick();
    return run;
  }

  test("do not lose a window if one is ahead: it asks too early, and again until the host answers", async () => {
    const limits = createMemoryLimits();
    await refusedOn(machine(limits, 0), minute);
    const ahead = arrive(machine(limits, 5000));
    await tick(55_000);
    expect(ahead.told.slice(-2)).toEqual(["five_hour cleared", "entered"]);
    void ahead.refuse(usedUp(minute));
    await tick();
    expect(await limits.read(sha256("ada"))).toEqual({ window: "five_hour", resetsAt: start + minute });
    await tick(30_000);
    expect(ahead.told.at(-1)).toBe("again");
    ahead.permit.answered();
    await tick();
    expect(await limits.read(sha256("ada"))).toBeUndefined();
  });

  test("wait for as much longer as one is behind", async () => {
    const limits = createMemoryLimits();
    await refusedOn(machine(limits, 0), minute);
    const behind = arrive(machine(limits, -5000));
    await tick(64_999);
    expect(behind.told).not.toContain("entered");
    await tick(1);
    expect(behind.told).toContain("entered");
  });

  test("learn a window from one whose clock says that it is open already", async () => {
    const limits = createMemoryLimits();
    await refusedOn(machine(limits, 2 * minute), minute);
    const exact = arrive(machine(limits, 0));
    await tick();
    expect(exact.told).toEqual([minute]);
  });

  test("keep a window if one that is ahead gets an answer to an earlier request", async () => {
    const limits = createMemoryLimits();
    const fast = machine(limits, 2 * minute);
    const earlier = arrive(fast);
    await refusedOn(machine(limits, 0), minute);
    arrive(fast);
    await tick();
    earlier.permit.answered();
    await tick();
    expect(await limits.read(sha256("ada"))).toBeDefined();
    const later = arrive(fast);
    await tick();
    later.permit.answered();
    await tick();
    expect(await limits.read(sha256("ada"))).toBeUndefined();
  });

  test("drop a window that another machine has found open", async () => {
    const limits = createMemoryLimits();
    const refused = machine(limits, 0);
    const held = await refusedOn(refused, minute);
    await limits.replace(sha256("ada"), await limits.read(sha256("ada")), undefined);
    const next = arrive(refused);
    await tick();
    expect(next.told).toEqual(["entered"]);
    expect(held.told.at(-1)).toBe("again");
  });
});
