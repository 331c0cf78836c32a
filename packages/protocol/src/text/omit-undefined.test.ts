import { expect, expectTypeOf, test } from "vitest";
import { omitUndefined } from "./omit-undefined.ts";

test("keys whose value is undefined are left out, and all others are kept", () => {
  const value = omitUndefined({ a: 1, b: undefined, c: null, d: "", e: false });
  expect(Object.keys(value)).toEqual(["a", "c", "d", "e"]);
});

test("a key that may be undefined becomes optional in the type", () => {
  const role = (): string | undefined => undefined;
  const value: { model: string; role?: string } = omitUndefined({ model: "sonnet", role: role() });
  expect(value).toEqual({ model: "sonnet" });
  expectTypeOf(omitUndefined({ a: 1 })).toEqualTypeOf<{ a: number }>();
});
