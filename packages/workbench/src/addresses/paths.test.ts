import { expect, test } from "vitest";
import { isWithin, paths, withSearch, withValues } from "./paths.ts";

test("the context window of a session has an address, now and at each of its events", () => {
  expect(paths.sessionContext("order 7")).toBe("/context/order%207");
  expect(paths.sessionContext("order-7", 12)).toBe("/context/order-7?at=12");
});

test("an address has the values that are not empty, and a change of some keeps the others", () => {
  expect(withSearch("/documents", { q: "", agent: "a&b", tool: undefined })).toBe("/documents?agent=a%26b");
  expect(withSearch("/documents", {})).toBe("/documents");
  expect(`${withValues(new URLSearchParams("q=x&open=1&at=3"), { open: 2, q: "" })}`).toBe("open=2&at=3");
});

test("a view is open at its path and below it, and not at another path that begins alike", () => {
  const path = paths.session("outer");
  expect(["/s/outer", "/s/outer/runs/r", "/s/outer2", "/s"].map((location) => isWithin(location, path))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
