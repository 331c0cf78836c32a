import { expect, test } from "vitest";
import { isWithin, paths } from "./paths.ts";

test("the context window of a session has an address, now and at each of its events", () => {
  expect(paths.sessionContext("order 7")).toBe("/context/order%207");
  expect(paths.sessionContext("order-7", 12)).toBe("/context/order-7?at=12");
});

test("a view is open at its path and below it, and not at another path that begins alike", () => {
  const path = paths.session("outer");
  expect(["/s/outer", "/s/outer/runs/r", "/s/outer2", "/s"].map((location) => isWithin(location, path))).toEqual([
    ...[true, true, false, false],
  ]);
});
