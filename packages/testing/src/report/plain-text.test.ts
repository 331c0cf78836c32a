import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyText } from "./any-text-for-tests.ts";
import { html, write as writeHtml } from "./html/markup.ts";
import { block, words } from "./markdown-text.ts";
import { clip, divide, oneLine, readable, visible } from "./plain-text.ts";
import { element, xmlText } from "./xml.ts";

test("control characters are shown, not executed", () => {
  expect(visible("\u001b[31mred\u0000\u007f\u0085\ufffe\ud800")).toBe("␛[31mred␀␡���");
  expect(visible("\u202eabc\u2066")).toBe("\\u{202e}abc\\u{2066}");
  expect(visible("a\r\nb\rc\td")).toBe("a\nb\nc\td");
});

const hiddenKinds = {
  "a tag": 0xe0041,
  "a zero-width blank": 0x200b,
  "a joiner": 0x200d,
  "a byte order mark": 0xfeff,
  "an Arabic letter mark": 0x61c,
  "a mark from left to right": 0x200e,
  "a mark from right to left": 0x200f,
  "a line separator": 0x2028,
  "a paragraph separator": 0x2029,
  "a soft hyphen": 0xad,
  "a Hangul filler": 0x3164,
  "an empty Braille pattern": 0x2800,
  "a variation selector": 0xe0100,
  "a private character": 0xe000,
  "an override of the direction": 0x202e,
};

describe.each(Object.entries(hiddenKinds))("%s in a report", (_name, code) => {
  const text = `re${String.fromCodePoint(code)}fund`;
  const shownText = `re\\u{${code.toString(16)}}fund`;

  test.each(
    Object.entries({
      "an HTML report": (each: string) => writeHtml(html`${each}`),
      "text of a JUnit report": xmlText,
      "an attribute of a JUnit report": (each: string) => element("case", { name: each }),
      "a block of a Markdown report": block,
      "a line of a Markdown report": (each: string) => words(each).replaceAll("&#92;", "\\"),
    }),
  )("is not in %s, and text that a reader sees is", (_format, write) => {
    expect(write(text)).not.toContain(String.fromCodePoint(code));
    expect(write(text)).toMatch(/[\\]u\{[0-9a-f]+\}fund|re fund/);
    expect(write("Grüße 漢字 مرحبا क्ष 🙂")).toContain("Grüße 漢字 مرحبا क्ष 🙂");
  });

  test("is shown as its number", () => {
    expect(visible(text)).toBe(shownText);
  });
});

test("joined emoji, tabs and the joiners of a spelling stay in a report", () => {
  const text = "👩‍💻 ❤️ 1️⃣ 👍🏽 نمی‌خواهم\tक्‍ष";
  expect(visible(text)).toBe(text);
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
