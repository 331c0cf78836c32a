import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  showControls,
  showHidden,
  showHiddenInJson,
  showHiddenInName,
  showHiddenInProse,
} from "./hidden-characters.ts";

/** Hidden characters of each kind: `[the kind, the characters]`. */
const kinds: readonly [kind: string, characters: string][] = [
  ["C0 controls", "\u0000\u0007\b\t\v\f\r\u001b\u001f"],
  ["DEL and C1 controls", "\u007f\u0080\u0085\u0090\u009b\u009d\u009f"],
  ["changes of direction", "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"],
  ["zero-width characters", "\u200b\u200c\u200d\u2060\u2061\u2064\ufeff\u180e\u034f"],
  ["soft hyphens", "\u00ad"],
  ["tags", "\u{e0001}\u{e0041}\u{e007f}"],
  ["interlinear annotations", "\ufff9\ufffa\ufffb"],
  ["line and paragraph separators", "\u2028\u2029"],
  ["lone surrogates", "\ud800\udbff\udc00"],
  ["variation selectors", "\ufe00\ufe0e\ufe0f\u{e0100}\u{e01ef}\u180b"],
  ["fillers", "\u115f\u1160\u3164\uffa0\u2800\u17b4"],
  ["private and unassigned code points", "\ue000\u{f0000}\uffff\u{1fffe}"],
];

describe("text with hidden characters", () => {
  test.each(kinds)("shows %s as escapes", (_kind, characters) => {
    for (const character of characters.match(/./gsu) ?? []) {
      const escaped = `\\u{${character.codePointAt(0)?.toString(16)}}`;
      expect(showHidden(`cat a${character}b`)).toBe(`cat a${escaped}b`);
      expect(showHiddenInProse(`cat a${character}b`)).toBe(`cat a${escaped}b`);
    }
  });

  test("shows every hidden character of the planes in use, and no other", () => {
    const codes = [...Array(0x20000).keys(), ...Array.from({ length: 0x1000 }, (_, index) => 0xe0000 + index)];
    for (const code of codes) {
      const character = String.fromCodePoint(code);
      const isHidden = /[\p{C}\p{DI}\p{Zl}\p{Zp}\u2800]/u.test(character);
      if ((showHidden(`a${character}`, "") !== `a${character}`) !== isHidden) throw new Error(String(code));
    }
  });

  test("keeps letters of all scripts, symbols and runs of blanks", () => {
    for (const text of [
      "a   b    c",
      "مرحبا שלום 你好 한국어 हिन्दी",
      "é e\u0301 ñ",
      "🙂 → ✓ │ ─",
      "a\nb",
      "\u00a0\u3000",
    ]) {
      expect(showHidden(text)).toBe(text);
      expect(showHiddenInProse(text)).toBe(text);
    }
  });

  test("keeps the line feed only if the caller wants it", () => {
    expect(showHidden("a\nb\tc", "")).toBe("a\\u{a}b\\u{9}c");
    expect(showHidden("a\nb\tc", "\n\t")).toBe("a\nb\tc");
  });

  test("keeps joiners that belong to a word in prose, and shows them if a person decides", () => {
    const word = "می\u200cخواهم";
    expect(showHiddenInProse(word)).toBe(word);
    expect(showHidden(word)).toBe("می\\u{200c}خواهم");
    expect(showHiddenInProse("pass\u200cword \u200c")).toBe("pass\\u{200c}word \\u{200c}");
  });

  test("shows marks without a letter and piles of marks, and keeps the marks of a letter", () => {
    expect(showHidden("\u0338a \u0338b\n\u0338c")).toBe("\\u{338}a \\u{338}b\n\\u{338}c");
    expect(showHidden(`a${"\u0301".repeat(6)}`)).toBe(`a${"\u0301".repeat(4)}\\u{301}\\u{301}`);
    expect(showHidden("ệ o\u0302\u0323")).toBe("ệ o\u0302\u0323");
  });
});

test("JSON keeps its value, and contains no hidden character", () => {
  const values = fc.oneof(fc.string({ unit: "binary" }), fc.jsonValue({ stringUnit: "binary" }));
  const property = fc.property(values, fc.constantFrom(undefined, 2), (value, space) => {
    const json = showHiddenInJson(JSON.stringify(value, undefined, space));
    expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
    expect(json).not.toMatch(/[^\P{C}\n]|\p{DI}/u);
  });
  fc.assert(property);
  expect(showHiddenInJson('{"a":"\u009b\u007f\u202e\u{e0041}"}')).toBe('{"a":"\\u009b\\u007f\\u202e\\udb40\\udc41"}');
});

test("text for a program loses no line end, tab, emoji or mark, and no terminal obeys it", () => {
  expect(showControls("a\r\nb\tc 👩‍💻 ❤️ \u200c")).toBe("a\r\nb\tc 👩‍💻 ❤️ \u200c");
  expect(showControls("\u001b]52;c;ZXZpbA==\u0007 \u009d52;c;eA\u009c \rx")).toBe(
    "\\u{1b}]52;c;ZXZpbA==\\u{7} \\u{9d}52;c;eA\\u{9c} \\u{d}x",
  );
});

test("a name keeps its emoji and the spelling of its words, and shows line feeds, directions and joiners that hide", () => {
  expect(showHiddenInName("👩‍👩‍👧 ❤️ می‌خواهم")).toBe("👩‍👩‍👧 ❤️ می‌خواهم");
  expect(showHiddenInName("a\nb\u202ec\u200dd\t")).toBe("a\\u{a}b\\u{202e}c\\u{200d}d\\u{9}");
});
