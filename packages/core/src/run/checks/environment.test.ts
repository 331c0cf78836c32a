import { expect, test } from "vitest";
import { joinEnvironments } from "./environment.ts";

test("later variables override earlier ones, and those without a value are left out", () => {
  const unset = { D: undefined } as unknown as Record<string, string>;
  expect(joinEnvironments({ A: "1", B: "1" }, undefined, { B: "2", C: "" }, unset)).toEqual({ A: "1", B: "2", C: "" });
  expect(joinEnvironments(undefined, {})).toBeUndefined();
});

test.each([
  [{ "": "x" }, 'the name "" is empty'],
  [{ "A=B": "x" }, 'the name "A=B" is empty or contains "="'],
  [{ A: "x\0y" }, "A contains a null byte"],
  [{ A: 5 }, "A is not a string"],
])("an environment that no process could get is refused: %j", (environment, problem) => {
  expect(() => joinEnvironments(environment as Record<string, string>)).toThrow(`environment is not valid: ${problem}`);
});
