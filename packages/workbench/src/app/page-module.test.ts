import { expect, test } from "vitest";
import { isOutdated, loadDelay, PageModule } from "./page-module.ts";

test("a page whose code could not be loaded is loaded when it is asked for again, and then once for all", async () => {
  let asked = 0;
  const module = new PageModule(async () => {
    asked += 1;
    if (asked < 3) throw new Error("gone");
    return "page";
  });
  await module.load(false);
  expect(module.state.get()).toMatchObject({ kind: "failed", attempts: 1 });
  await Promise.all([module.load(false), module.load(false)]);
  expect(module.state.get()).toMatchObject({ kind: "failed", attempts: 2 });
  await module.load(false);
  await module.load(false);
  expect([module.state.get(), asked]).toEqual([{ kind: "ready", page: "page" }, 3]);
});

test("code that a server which answers does not have is of another version", async () => {
  const module = new PageModule(() => Promise.reject(new Error("404")));
  const loads = async (...served: readonly boolean[]) => {
    for (const isServed of served) await module.load(isServed);
    return isOutdated(module.state.get());
  };
  expect(await loads(false, false, false, false)).toBe(false);
  expect(await loads(true, true)).toBe(false);
  expect(await loads(true)).toBe(true);
});

test("a server that is gone for long is asked every five seconds, and at once when it is back", () => {
  const failed = (attempts: number, refusals = 0) => ({ kind: "failed", attempts, refusals }) as const;
  expect([1, 2, 3, 4, 50].map((attempts) => loadDelay(failed(attempts), false))).toEqual([
    1000, 2000, 4000, 5000, 5000,
  ]);
  expect([0, 1, 2].map((refusals) => loadDelay(failed(50, refusals), true))).toEqual([300, 1000, 2000]);
  expect(loadDelay({ kind: "loading" }, true)).toBe(0);
});
