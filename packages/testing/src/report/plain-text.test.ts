import fc from "fast-check";
import { expect, test } from "vitest";
import { anyText } from "./any-text-for-tests.ts";
import { clip, divide, oneLine, readable, visible } from "./plain-text.ts";

test("control characters are shown, not executed", () => {
  expect(visible("\u001b[31mred\u0000\u007f\u0085\ufffe\ud800")).toBe("␛[31mred␀␡���");
  expect(visible("\u202eabc\u2066")).toBe("[U+202E]abc[U+2066]");
  expect(visible("a\r\nb\rc\td")).toBe("a\nb\nc\td");
});

test("visible text is unchanged", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(visible(visible(text))).toBe(visible(text));
    }),
  );
});

test("a text is cut between characters, with the number of missing ones", () => {
  expect(clip("abcdef", 3)).toBe("abc… (3 more characters)");
  expect(clip("abc", 3)).toBe("abc");
  expect(divide("a🚚b", 2)).toEqual(["a", "🚚b"]);
});

test("a text on one line has no line break", () => {
  expect(oneLine(" a\n\n b\u2028c\r\n")).toBe("a b c");
});

test("JSON is indented, also in a text, and other text is unchanged", () => {
  expect(readable({ a: 1 })).toBe('{\n  "a": 1\n}');
  expect(readable('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect([readable("{not json"), readable("plain"), readable(undefined)]).toEqual(["{not json", "plain", ""]);
});
