import fc from "fast-check";
import { expect, test } from "vitest";
import { getErrorMessage, preview } from "./reason.ts";

test("an error without a message is described by its name", () => {
  expect(getErrorMessage(new Error("the disk is full"))).toBe("the disk is full");
  expect(getErrorMessage(new TypeError())).toBe("TypeError");
  expect(getErrorMessage({ code: 7, message: "from another realm" })).toBe("from another realm");
});

test("a thrown undefined, null or empty text has the message that no reason was given", () => {
  for (const nothing of [undefined, null, ""]) expect(getErrorMessage(nothing)).toBe("no reason was given");
});

test("every thrown value has a message, and reading the message never throws", () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true, withBigInt: true, withObjectString: true }), (thrown) => {
      expect(getErrorMessage(thrown)).not.toBe("");
    }),
  );
  const hostile = {
    get message(): string {
      throw new Error("no");
    },
  };
  expect(getErrorMessage(hostile)).toBe("no reason was given");
  expect(getErrorMessage(Object.create(null))).toBe("{}");
  expect(getErrorMessage(Symbol("s"))).toBe("Symbol(s)");
});

test("a preview quotes a value in at most 200 characters, or explains why it cannot", () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  expect([undefined, 1n, cycle, "a"].map(preview)).toEqual(["nothing", "1n", "a value that JSON cannot hold", '"a"']);
  expect(preview("x".repeat(300))).toHaveLength(201);
  expect(preview(`${"x".repeat(198)}🌍 and more`).isWellFormed()).toBe(true);
});
