import fc from "fast-check";
import { expect, test } from "vitest";
import { nearest, suggestion } from "./nearest.ts";

test("the nearest known names come first, and distant names are left out", () => {
  expect(nearest("sonet", ["opus", "sonnet", "haiku"])).toEqual(["sonnet"]);
  expect(nearest("xyzzy", ["opus", "sonnet"])).toEqual([]);
});

test("the beginning of a name is near to it, whatever its length", () => {
  expect(nearest("claude", ["claude-sonnet-5-5", "gpt"])).toEqual(["claude-sonnet-5-5"]);
});

test("a suggestion is a sentence, or nothing", () => {
  expect(suggestion("hiaku", ["haiku"])).toBe(' Did you mean "haiku"?');
  expect(suggestion("zzzzzz", ["haiku"])).toBe("");
});

test("a known name is the nearest to itself, and every answer is one of the candidates", () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1 }), fc.string(), (names, other) => {
      const [known = ""] = names;
      expect(nearest(known, names)[0]?.toLowerCase()).toBe(known.toLowerCase());
      for (const name of nearest(other, names)) expect(names).toContain(name);
      expect(nearest(other, names).length).toBeLessThanOrEqual(3);
    }),
  );
});

test("a name of a megabyte is near to nothing", () => {
  const known = Array.from({ length: 1000 }, (_, index) => `tool_${index}`);
  expect(nearest("t".repeat(1_000_000), known)).toEqual([]);
});
