import fc from "fast-check";
import { expect, test } from "vitest";
import { preview, reasonOf } from "./reason.ts";

test("an error gives its message, or its name when it has none", () => {
  expect(reasonOf(new Error("the disk is full"))).toBe("the disk is full");
  expect(reasonOf(new TypeError())).toBe("TypeError");
  expect(reasonOf({ code: 7, message: "from another realm" })).toBe("from another realm");
});

test("nothing thrown is said to be without a reason", () => {
  for (const nothing of [undefined, null, ""]) expect(reasonOf(nothing)).toBe("no reason was given");
});

test("whatever is thrown has a reason, and asking for it never throws", () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true, withBigInt: true, withObjectString: true }), (thrown) => {
      expect(reasonOf(thrown)).not.toBe("");
    }),
  );
  const hostile = {
    get message(): string {
      throw new Error("no");
    },
  };
  expect(reasonOf(hostile)).toBe("no reason was given");
  expect(reasonOf(Object.create(null))).toBe("{}");
  expect(reasonOf(Symbol("s"))).toBe("Symbol(s)");
});

test("a preview quotes a value in at most 200 characters, and says so when it cannot", () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  expect([undefined, 1n, cycle, "a"].map(preview)).toEqual(["nothing", "1n", "a value that JSON cannot hold", '"a"']);
  expect(preview("x".repeat(300))).toHaveLength(201);
  expect(preview(`${"x".repeat(198)}🌍 and more`).isWellFormed()).toBe(true);
});
