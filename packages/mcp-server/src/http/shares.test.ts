import { expect, test } from "vitest";
import { Shares } from "./shares.ts";

function takeAll(shares: Shares, user: string): number {
  let taken = 0;
  while (shares.take(user)) taken += 1;
  return taken;
}

test("a user who takes all there is leaves each other user a part of one's own", () => {
  const shares = new Shares(256, 4);
  expect(takeAll(shares, "greedy")).toBe(32 + 128);
  expect(shares.maxOfOne).toBe(32 + 128);
  for (const user of ["ada", "bob", "tom"]) expect([user, takeAll(shares, user)]).toEqual([user, 32]);
});

test("a lone user has all there is", () => {
  expect(takeAll(new Shares(256, 1), "owner")).toBe(256);
});

test("each user has a place, even if there are more users than places", () => {
  const shares = new Shares(4, 10);
  for (let user = 0; user < 10; user += 1) expect(takeAll(shares, String(user))).toBe(1);
});

test("a place that is left can be taken by another user", () => {
  const shares = new Shares(8, 2);
  expect(takeAll(shares, "greedy")).toBe(6);
  expect(takeAll(shares, "ada")).toBe(2);
  shares.leave("greedy");
  expect([shares.take("ada"), shares.take("ada")]).toEqual([true, false]);
});

test("several places are taken together or not at all", () => {
  const shares = new Shares(100, 2);
  expect([shares.take("ada", 70), shares.take("ada", 10), shares.heldBy("ada")]).toEqual([true, false, 70]);
  expect(shares.take("ada", 5)).toBe(true);
  shares.add("ada", 1000);
  expect(shares.take("bob", 25)).toBe(true);
});
