import { BridleRequestError } from "@bridle/client";
import { expect, test } from "vitest";
import { isMissing } from "./is-missing.ts";

const wrong = (...parameters: string[]) =>
  new BridleRequestError(422, {
    code: "invalid-input",
    errors: parameters.map((parameter) => ({ parameter, message: "is too long" })),
  });

test("what the server does not have is missing, and what can be no name of it", () => {
  expect(isMissing(new BridleRequestError(404, { code: "no-such-run" }))).toBe(true);
  expect(isMissing(wrong("a", "b"), ["a", "b"])).toBe(true);
});

test("a wrong value in the address that names nothing does not say that something is missing", () => {
  expect([isMissing(wrong("at")), isMissing(wrong("page", "limit"), ["page"])]).toEqual([false, false]);
  expect(isMissing(new BridleRequestError(422, { code: "invalid-input" }), ["page"])).toBe(false);
  expect(isMissing(new BridleRequestError(500, { code: "internal" }), ["page"])).toBe(false);
  expect(isMissing(new TypeError("fetch failed"), ["page"])).toBe(false);
});
