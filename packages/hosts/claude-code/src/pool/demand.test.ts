import { expect, test } from "vitest";
import { Demand } from "./demand.ts";

test("a kind is repeated from its second call on", () => {
  const demand = new Demand();
  demand.note("a");
  expect(demand.isRepeated("a")).toBe(false);
  demand.note("a");
  expect([demand.isRepeated("a"), demand.isRepeated("b")]).toEqual([true, false]);
});

test("the least recently requested kinds are forgotten", () => {
  const demand = new Demand();
  for (const key of ["old", "old", "kept", "kept"]) demand.note(key);
  for (let other = 0; other < 31; other++) demand.note(`other ${other}`);
  expect([demand.isRepeated("old"), demand.isRepeated("kept")]).toEqual([false, true]);
});
