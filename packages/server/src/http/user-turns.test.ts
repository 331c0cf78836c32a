import { expect, test } from "vitest";
import { UserTurns } from "./user-turns.ts";

const never = new AbortController().signal;

test("requests of one user wait for each other, and not those of another user", async () => {
  const turns = new UserTurns(2);
  const gate = Promise.withResolvers<void>();
  const begun: string[] = [];
  const work = (name: string) => async () => {
    begun.push(name);
    await gate.promise;
  };
  const all = ["a1", "a2", "a3", "a4"].map((name) => turns.perform("a", work(name), never));
  all.push(turns.perform("b", work("b1"), never));
  await Promise.resolve();
  expect(begun).toEqual(["a1", "a2", "b1"]);
  gate.resolve();
  await Promise.all(all);
  expect(begun).toEqual(["a1", "a2", "b1", "a3", "a4"]);
});

test("a request whose client leaves gives up its place in the line, and one that fails lets the next one begin", async () => {
  const turns = new UserTurns(1);
  const gate = Promise.withResolvers<never>();
  const failing = turns.perform("a", () => gate.promise, never);
  const leaving = new AbortController();
  const left = turns.perform("a", async () => "left", leaving.signal);
  const last = turns.perform("a", async () => "last", never);
  leaving.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  gate.reject(new Error("broken"));
  await expect(failing).rejects.toThrow("broken");
  expect(await last).toBe("last");
  expect(await turns.perform("a", async () => "again", never)).toBe("again");
});
