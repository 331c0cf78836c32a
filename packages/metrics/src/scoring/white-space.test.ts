import { expect, test } from "vitest";
import { exactMatch } from "../text/exact-match.ts";
import { squadTokens } from "../text/squad-tokens.ts";
import { bleuTokens } from "../wording/bleu-tokens.ts";
import { f1 } from "../wording/f1.ts";
import { splitAtSpace, trimEndSpace } from "./white-space.ts";

/** Every character for which Python's `str.isspace()` is true. `str.split()` and `re`'s `\s` treat the same characters as white space. */
const spaces = [
  "\t",
  "\n",
  "\u000b",
  "\f",
  "\r",
  "\u001c",
  "\u001d",
  "\u001e",
  "\u001f",
  " ",
  "\u0085",
  "\u00a0",
  "\u1680",
  "\u2000",
  "\u2001",
  "\u2002",
  "\u2003",
  "\u2004",
  "\u2005",
  "\u2006",
  "\u2007",
  "\u2008",
  "\u2009",
  "\u200a",
  "\u2028",
  "\u2029",
  "\u202f",
  "\u205f",
  "\u3000",
];
/** Characters that look like spaces or are invisible, but are not white space in Python. */
const letters = ["\ufeff", "\u200b", "\u2060", "\u180e", "\u001b", "\u0000", "\u007f", "_", "x"];
const nameOf = (character: string) => `U+${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

test.each(spaces.map((each) => [nameOf(each), each]))("%s separates words, as in Python", (_, space) => {
  expect(splitAtSpace(`a${space}b`)).toEqual(["a", "b"]);
  expect(trimEndSpace(`a${space}${space}`)).toBe("a");
  expect(squadTokens(`lamp${space}desk`)).toEqual(["lamp", "desk"]);
  expect(bleuTokens(`lamp${space}desk`)).toEqual(["lamp", "desk"]);
});

test.each(letters.map((each) => [nameOf(each), each]))("%s is no white space, as in Python", (_, letter) => {
  expect(splitAtSpace(`a${letter}b`)).toEqual([`a${letter}b`]);
  expect(trimEndSpace(`a${letter}`)).toBe(`a${letter}`);
});

test("no other character of the basic plane is white space", () => {
  const found = Array.from({ length: 0xd800 }, (_, code) => String.fromCharCode(code));
  const rest = Array.from({ length: 0x2000 }, (_, code) => String.fromCharCode(0xe000 + code));
  expect([...found, ...rest].filter((each) => splitAtSpace(`a${each}b`).length === 2)).toEqual(spaces);
});

// According to SQuAD's official script and sacreBLEU.
test("a byte order mark is part of a word, and U+0085 and U+001F are not, in exact_match, f1 and the tokens of BLEU", () => {
  expect(exactMatch("lamp\ufeff", "lamp").score).toBe(0);
  expect(exactMatch("lamp\u0085", "lamp").score).toBe(1);
  expect(exactMatch("lamp\u001fdesk", "lamp desk").score).toBe(1);
  expect(f1("lamp\ufeffdesk", "lamp desk").score).toBe(0);
  expect(f1("lamp\u001fdesk", "lamp desk").score).toBe(1);
  expect(bleuTokens("a lamp\ufeff")).toEqual(["a", "lamp\ufeff"]);
  expect(bleuTokens("a hyphen-\n\u0085")).toEqual(["a", "hyphen-"]);
});
